import type { SocketTalk } from '@harvestman/toolbox/socket-talk'

/** A WebSocket on which both sides send messages. */
export interface Talk {
  /** Maximum size of an incoming message, in bytes. */
  readonly maxIncoming: number
  /** Called once the socket is open. Returns the message handler; incoming messages are queued until then. */
  begin(channel: Channel): Promise<(text: string) => unknown>
}

export interface Channel extends Pick<SocketTalk, 'send' | 'close'> {
  onClose: (() => void) | undefined
}

export const talkCodes = { done: 1000, goingAway: 1001, fault: 1011 }
