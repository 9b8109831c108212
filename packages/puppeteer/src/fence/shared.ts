// What the clients of one live browser share, as the filter needs it.

/** The contexts of one live browser: its own, and those that clients have opened beside it. */
export interface Contexts {
  readonly main: string
  /** Those that clients have opened. */
  readonly more: readonly string[]
  has(contextId: unknown): contextId is string
  /** Opens a context. Returns its id, or a sentence where there are too many. */
  open(): Promise<{ readonly id: string } | string>
  close(contextId: string): Promise<void>
}

/** An event of the protocol about downloads. */
export type DownloadEvent = (method: string, params: Readonly<Record<string, unknown>>) => void

/** The files that pages of one live browser have downloaded. They are removed with the browser. */
export interface Downloads {
  /** Allows downloads in a context until the returned function is called. Returns a sentence where they cannot be allowed. */
  allow(contextId: string): Promise<(() => void) | string>
  /** Calls the listener with each event until the returned function is called. */
  listen(listener: DownloadEvent): () => void
  cancel(guid: string): Promise<void>
  /** Reads a part of a downloaded file, or returns a sentence about why there is none. */
  read(guid: string, offset: number, size: number): Promise<DownloadChunk | string>
  /** Removes a file, or cancels its download. */
  remove(guid: string): Promise<void>
  has(guid: string): boolean
}

export interface DownloadChunk {
  readonly data: Buffer
  readonly eof: boolean
}
