import type { Converting } from '../converting.ts'

const newline = 0x0a

/** Returns the first lines of a file, at most `limits.lines`. Mails need a limit because the library spends 20 µs on each line. */
export function firstLines(bytes: Uint8Array, { limits, warn }: Converting): Uint8Array {
  let end = 0
  for (let line = 0; line < limits.lines; line++) {
    end = bytes.indexOf(newline, end) + 1
    if (end === 0) return bytes
  }
  if (end < bytes.length)
    warn(
      `The file has more than ${limits.lines} lines; the rest is left out. Raise limits.lines of documents() to read it.`,
    )
  return bytes.subarray(0, end)
}
