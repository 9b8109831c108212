// More arguments than this do not fit on a stack.
const together = 4_096

/**
 * A text of these codes. Texts of which millions of places are changed are changed code by code: a regular expression takes
 * many times their memory for it.
 */
export function textOfCodes(codes: Uint16Array): string {
  if (codes.length <= together) return String.fromCharCode(...codes)
  const parts: string[] = []
  for (let start = 0; start < codes.length; start += together) {
    parts.push(String.fromCharCode(...codes.subarray(start, start + together)))
  }
  return parts.join('')
}
