/** A WebSocket that both sides speak on. */
export interface Talk {
  /** Bytes of the largest message that is taken. */
  readonly mostIncoming: number
  /** Called once it is open. */
  begin(channel: Channel): Promise<void>
}

export interface Channel {
  /** Resolves when the message has left, to whether it has. */
  send(message: string | Uint8Array): Promise<boolean>
  onMessage: ((text: string) => void) | undefined
  onClose: (() => void) | undefined
  close(code: number, reason: string): void
}

export const talkCodes = { done: 1000, goingAway: 1001, refused: 1008, fault: 1011 }
