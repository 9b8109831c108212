/**
 * Gives the memory of bytes back that nobody needs any more; they are empty then. V8 sees only the small object before
 * them, and would leave them for long. Not those that share a buffer with others.
 */
export function free(bytes: ArrayBufferView): void {
  ownBuffer(bytes)?.transfer(0)
}

/** The buffer of bytes that have one to themselves. */
export function ownBuffer({ buffer, byteLength }: ArrayBufferView): ArrayBuffer | undefined {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : undefined
}
