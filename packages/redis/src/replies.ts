const [lineFeed, minus, zero] = [0x0a, 0x2d, 0x30]
// Types with a length prefix: bulk strings, bulk errors and verbatim strings.
const long = new Set(['$', '!', '='].map((sign) => sign.charCodeAt(0)))

/**
 * Returns the number of bytes of the part of a reply that begins here; `undefined` while its first line is incomplete. A list
 * counts as its first line only, followed by its items.
 */
export function replyLength(bytes: Buffer, start: number): number | undefined {
  let end = start
  while (end < bytes.length && bytes[end] !== lineFeed) end += 1
  if (end === bytes.length) return undefined
  const line = end + 1 - start
  if (!long.has(bytes[start] ?? 0) || bytes[start + 1] === minus) return line
  let length = 0
  for (let at = start + 1; at < end - 1; at += 1) length = length * 10 + (bytes[at] ?? zero) - zero
  return line + length + 2
}
