/** Returns text of several lines without the control characters that a terminal would act on. */
export function printableLines(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]+|[\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, '')
}

/** A text of strangers on one line, without the letters that a terminal would act on. */
export function printable(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
