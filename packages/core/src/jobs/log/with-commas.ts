const comma = Buffer.from(',')

/** Returns the documents with commas between them, as the items of a JSON array. Nothing is copied. */
export function withCommas(run: readonly Uint8Array[]): readonly Uint8Array[] {
  return run.flatMap((document, index) =>
    index === 0 ? [document] : [commaBetween(run[index - 1]!, document), document],
  )
}

/**
 * Returns the stored comma between two documents if they are adjacent in memory, so that they can be sent as one run of bytes.
 * The byte is compared, because small buffers share Node's pool, where documents of different segments may be one byte apart.
 */
function commaBetween(one: Uint8Array, next: Uint8Array): Uint8Array {
  const end = one.byteOffset + one.byteLength
  if (one.buffer !== next.buffer || next.byteOffset !== end + comma.length) return comma
  const between = new Uint8Array(one.buffer, end, comma.length)
  return comma.equals(between) ? between : comma
}
