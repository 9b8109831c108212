// Colors for terminals.

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'added' | 'removed'

/** Colors a string. */
export type Paint = (tone: Tone, text: string) => string

const codes: Readonly<Record<Tone, number>> = {
  good: 32,
  bad: 31,
  warn: 33,
  quiet: 2,
  strong: 1,
  added: 32,
  removed: 31,
}

/** Marks the start of a color until the output is written. It is random, so that no page can contain it. */
const mark = `\uE000${Math.random().toString(36).slice(2)}`

/** Returns the text without color. */
export const plain: Paint = (_, text) => text

/** Marks the text with the color of a tone. `inColour` replaces the marks when it is printed. */
export const coloured: Paint = (tone, text) => (text === '' ? '' : `${mark}${codes[tone]}m${text}${mark}0m`)

/** Returns the string with its color marks replaced by terminal escape sequences. A string without marks is unchanged. */
export function inColour(text: string): string {
  return text.replaceAll(mark, '\u001B[')
}

/**
 * Returns the color function for a stream: plain if it is not a terminal, on dumb terminals, and with NO_COLOR
 * (https://no-color.org).
 */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? coloured : plain
}

/**
 * Returns the tone in which an HTTP status is printed: `good` below 300, `quiet` for redirects, `warn` from 400, `bad` from
 * 500.
 */
export function toneOf(status: number): Tone {
  if (status < 300) return 'good'
  return status < 400 ? 'quiet' : status < 500 ? 'warn' : 'bad'
}
