// Colour where the output is a terminal, and nowhere else.

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'added' | 'removed'

/** Gives a text its tone. */
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

/** Stands for the start of a colour until the text is written. It is random, so that no page contains it. */
const mark = `\uE000${Math.random().toString(36).slice(2)}`

export const plain: Paint = (_, text) => text

export const coloured: Paint = (tone, text) => (text === '' ? '' : `${mark}${codes[tone]}m${text}${mark}0m`)

/** Returns text with its colours as a terminal reads them. */
export function inColour(text: string): string {
  return text.replaceAll(mark, '\u001B[')
}

/** Whether to colour: on a terminal that can, unless the person said no (https://no-color.org). */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? coloured : plain
}

/** The tone of an HTTP status. */
export function toneOf(status: number): Tone {
  if (status < 300) return 'good'
  return status < 400 ? 'quiet' : status < 500 ? 'warn' : 'bad'
}
