import type { SocketTalk } from '@harvestman/ports/adapters'

/** A WebSocket that both sides speak on. */
export interface Talk {
  /** Bytes of the largest message that is taken. */
  readonly mostIncoming: number
  /** Called once it is open. Gives who takes the messages, which wait until then. */
  begin(channel: Channel): Promise<(text: string) => unknown>
}

export interface Channel extends Pick<SocketTalk, 'send' | 'close'> {
  onClose: (() => void) | undefined
}

export const talkCodes = { done: 1000, goingAway: 1001, fault: 1011 }
