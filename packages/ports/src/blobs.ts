/** Stores the files of scrapes, such as screenshots and PDFs, for as long as their URLs are valid. */
export interface Blobs {
  /**
   * Processes that can read a file with `isLasting` until its ttl has passed: `machine` for processes on this host, `shared`
   * for all processes that share the store. Files that cannot be stored that long are rejected. Absent if files may be removed
   * early.
   */
  readonly lasts?: 'machine' | 'shared'
  /**
   * Must store the file under the given id and replace a file that has it. Without an id, must create one, even for bytes that
   * are already stored: a UUID with at least 122 random bits, so that it cannot be guessed. Must not read the bytes again once
   * it has resolved.
   */
  put(blob: NewBlob): Promise<KeptBlob>
  /** Must return the stored file, or `undefined` once its ttl has passed or if the id is invalid. */
  get(id: string): Promise<Blob | undefined>
  /** Must make every later call reject. Files stay if the storage outlives the process. */
  close(): Promise<void>
}

/** A file. */
export interface Blob {
  readonly bytes: Uint8Array
  /** Media type. */
  readonly type: string
  /** The team that owns it. */
  readonly team: string
}

/** A file to store. */
export interface NewBlob extends Blob {
  /** An unguessable UUID. It is the same in each attempt of the work that produces the file. */
  readonly id?: string | undefined
  /** Milliseconds until it expires. */
  readonly ttl: number
  /** Something else is unreadable without this file, so it must not be removed early to free space. */
  readonly isLasting?: boolean
}

/** A stored file, and where to find it. */
export interface KeptBlob {
  readonly id: string
  /** URL that other code in this process can open; absent if the bytes are only available by `get`. */
  readonly url?: string
  /** The URL may be given to external callers: anybody can open it, from anywhere, until the file expires. */
  readonly isPublic?: boolean
}
