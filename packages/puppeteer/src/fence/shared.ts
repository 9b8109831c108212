// The state that the clients of a live browser share.

/** The contexts of a live browser: its main one, and those opened by clients. */
export interface Contexts {
  readonly main: string
  /** Contexts opened by clients. */
  readonly more: readonly string[]
  has(contextId: unknown): contextId is string
  /** Opens a context. Returns its id, or an error message if there are too many. */
  open(): Promise<{ readonly id: string } | string>
  close(contextId: string): Promise<void>
}

/** Receives protocol events about downloads. */
export type DownloadEvent = (method: string, params: Readonly<Record<string, unknown>>) => void

/** The downloads of a live browser. Files are removed with the browser. */
export interface Downloads {
  /** Allows downloads in a context until the returned function is called. Returns an error message if they are not possible. */
  allow(contextId: string): Promise<(() => void) | string>
  /** Calls the listener with each event until the returned function is called. */
  listen(listener: DownloadEvent): () => void
  cancel(guid: string): Promise<void>
  /** Reads a chunk of a downloaded file. Returns an error message if that is not possible. */
  read(guid: string, offset: number, size: number): Promise<DownloadChunk | string>
  /** Removes a file, or cancels its download. */
  remove(guid: string): Promise<void>
  has(guid: string): boolean
}

export interface DownloadChunk {
  readonly data: Buffer
  readonly eof: boolean
}
