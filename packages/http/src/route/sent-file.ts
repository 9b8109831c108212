/** A file in a request. */
export interface SentFile {
  readonly bytes: Uint8Array
  readonly name: string | undefined
  readonly contentType: string | undefined
}
