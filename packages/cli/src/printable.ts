import { inColour } from './paint.ts'

/** Moves the cursor to the start of its line and clears the line. */
export const clearLine = '\r\u001B[2K'

/**
 * Returns output that is safe for a terminal: page content in it cannot move the cursor, clear lines, change colors, set the
 * title or reverse text. Line breaks, tabs, our own colors and a leading `clearLine` remain.
 */
export function forTerminal(text: string): string {
  const start = text.startsWith(clearLine) ? clearLine : ''
  const safe = text.slice(start.length).replaceAll(/[^\P{Cc}\n\t]+|[\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, '')
  return start + inColour(safe)
}

/** Returns an untrusted string on one line, without characters that a terminal interprets. */
export function printable(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
