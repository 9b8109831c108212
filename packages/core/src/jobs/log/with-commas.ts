const comma = Buffer.from(',')

/** Documents that follow each other, as the items of a JSON list. */
export function withCommas(run: readonly Uint8Array[]): readonly Uint8Array[] {
  return run.flatMap((document, index) =>
    index === 0 ? [document] : [commaBetween(run[index - 1]!, document), document],
  )
}

/**
 * The one that stands between them where they are kept, so that who sends them sends one run of bytes. It is looked at: small
 * buffers share the pool of Node, where two documents of different segments may be one byte apart.
 */
function commaBetween(one: Uint8Array, next: Uint8Array): Uint8Array {
  const end = one.byteOffset + one.byteLength
  if (one.buffer !== next.buffer || next.byteOffset !== end + comma.length) return comma
  const between = new Uint8Array(one.buffer, end, comma.length)
  return comma.equals(between) ? between : comma
}
