const [lineFeed, minus, zero] = [0x0a, 0x2d, 0x30]
// Texts, errors and texts with a format: a line with their length, and their bytes with an end of line.
const long = new Set(['$', '!', '='].map((sign) => sign.charCodeAt(0)))

/** How many bytes the part of a reply has that begins here; nothing while its first line is not there. A list is a line, and its items. */
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
