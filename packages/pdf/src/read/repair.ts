/**
 * Files whose end was lost have no note that says which object is the first. The object itself is often still there, so
 * a note is written anew; the rest is found by the reading library.
 */
export function repaired(bytes: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const at = text.search(/\/Type\s*\/Catalog\b/)
  if (at < 0) return undefined
  const before = text.slice(Math.max(0, at - 4_000), at)
  const [, number, generation] = [...before.matchAll(/(?<!\d)(\d{1,10})\s+(\d{1,5})\s+obj\b/g)].at(-1) ?? []
  if (number === undefined || generation === undefined) return undefined
  const note = Buffer.from(`\nendobj\ntrailer\n<</Root ${number} ${generation} R>>\nstartxref\n0\n%%EOF\n`)
  return new Uint8Array(Buffer.concat([bytes, note]))
}
