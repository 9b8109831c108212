/** Keeps the files that scrapes bring, pictures and PDFs, for as long as their address is good. */
export interface Blobs {
  /**
   * Processes that can read a file with `isLasting` until its time has passed: those of this machine, or all that have
   * the store. Files that cannot be kept so long are rejected. Absent where files may go before their time.
   */
  readonly lasts?: 'machine' | 'shared'
  /**
   * Must keep the file under the id that it is given with, in place of the one that is there. Without one, must give it an
   * id of its own, also when its bytes are known: 122 random bits or more, written as a UUID, so that it cannot be guessed.
   * Must not look at the bytes again once it has resolved.
   */
  put(blob: NewBlob): Promise<KeptBlob>
  /** Must give what was put, and nothing once its ttl has passed. Must give nothing for a text that is no id of its own. */
  get(id: string): Promise<Blob | undefined>
  /** Must make every later call reject. What is kept stays where that outlives the process. */
  close(): Promise<void>
}

/** A file. */
export interface Blob {
  readonly bytes: Uint8Array
  /** Its media type. */
  readonly type: string
  /** The team it belongs to. */
  readonly team: string
}

/** A file that is to be kept. */
export interface NewBlob extends Blob {
  /** A UUID that cannot be guessed. It is the same each time that the work is tried which the file comes from. */
  readonly id?: string | undefined
  /** Milliseconds until it is gone. */
  readonly ttl: number
  /** Something cannot be read without it: it is not removed before its time to make room. */
  readonly isLasting?: boolean
}

/** A file that was kept, and where it is found. */
export interface KeptBlob {
  readonly id: string
  /** Address that a program in this process can open; absent where only `get` leads to the bytes. */
  readonly url?: string
  /** Callers beyond this process may be given the url: anybody can open it, from anywhere, until the file is gone. */
  readonly isPublic?: boolean
}
