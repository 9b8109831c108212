/** A message: a string, or its chunks. */
export type Message = string | readonly Uint8Array[]

export interface Closing {
  readonly code: number
  readonly reason: string
}

/**
 * Messages in order; the return value is the close frame. The next message is produced only after the previous one was sent.
 */
export type Watching = AsyncGenerator<Message, Closing, void>
