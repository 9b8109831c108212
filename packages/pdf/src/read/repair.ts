/**
 * Returns a copy of a truncated file, which has lost the reference to its root object, with a new trailer. Returns `undefined` if
 * the root object is lost too. The library finds the other objects.
 */
export function repairTruncated(bytes: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const at = text.search(/\/Type\s*\/Catalog\b/)
  if (at < 0) return undefined
  const before = text.slice(Math.max(0, at - 4_000), at)
  const [, number, generation] = [...before.matchAll(/(?<!\d)(\d{1,10})\s+(\d{1,5})\s+obj\b/g)].at(-1) ?? []
  if (number === undefined || generation === undefined) return undefined
  const note = Buffer.from(`\nendobj\ntrailer\n<</Root ${number} ${generation} R>>\nstartxref\n0\n%%EOF\n`)
  return new Uint8Array(Buffer.concat([bytes, note]))
}
