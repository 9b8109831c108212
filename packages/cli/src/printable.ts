import { inColour } from './paint.ts'

/** Moves the cursor to the start of its line and clears the line. */
export const clearLine = '\r\u001B[2K'

/**
 * Returns what a terminal gets of an output. Text of pages in it cannot move the cursor, clear lines, colour the terminal, set its
 * title or reverse text. Line breaks, tabs and the colours of commands stay, and `clearLine` at the start.
 */
export function forTerminal(text: string): string {
  const start = text.startsWith(clearLine) ? clearLine : ''
  const safe = text.slice(start.length).replaceAll(/[^\P{Cc}\n\t]+|[\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, '')
  return start + inColour(safe)
}

/** A text of strangers on one line, without the letters that a terminal would act on. */
export function printable(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
