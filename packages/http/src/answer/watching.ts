/** A message: a text, or the pieces of one. */
export type Message = string | readonly Uint8Array[]

export interface Closing {
  readonly code: number
  readonly reason: string
}

/** Messages in their order, and at the end how the socket is closed. The next one is made when this one is sent. */
export type Watching = AsyncGenerator<Message, Closing, void>
