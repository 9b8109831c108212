// Pages by rule: structures as they occur on real sites, filled with the words of a language. The same seed gives the
// same structure in every language, so that only the language differs.
import type { Language, Labels } from './language-words.ts'

export interface MadePage {
  readonly url: string
  readonly html: string
  /** The main content, one line per block. */
  readonly text: string
  readonly title: string
  readonly author: string
  /** `YYYY-MM-DD` */
  readonly date: string
}

/** Writes the words of a page. */
export interface Writer {
  readonly labels: Labels
  readonly tag: string
  /** Returns a number from 0 to below `limit`. */
  readonly random: (limit: number) => number
  readonly phrase: (words: number) => string
  readonly paragraph: () => string
  readonly name: () => string
  readonly day: (time: number) => string
}

/** The facts and texts of an article, which the structures share. */
export interface Story {
  readonly title: string
  readonly author: string
  readonly time: number
  readonly iso: string
  readonly day: string
  readonly updated: string
  readonly site: string
  readonly paragraphs: readonly string[]
  readonly headings: readonly string[]
}

const start = Date.UTC(2019, 0, 5)
const dayLength = 24 * 60 * 60 * 1000

function randomFrom(seed: number): Writer['random'] {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

/** With the name of the month, with the weekday, abbreviated, and in digits. */
const dateStyles = [
  { dateStyle: 'long' },
  { dateStyle: 'full' },
  { dateStyle: 'medium' },
  { year: 'numeric', month: 'numeric', day: 'numeric' },
] as const

function writerOf({ tag, signs, words, names, labels }: Language, seed: number): Writer {
  const random = randomFrom(seed)
  const [space, stop, comma] = signs
  const word = (): string => words[random(words.length)]!
  const phrase = (count: number): string => {
    const text = Array.from({ length: count }, word).join(space)
    return text[0]!.toLocaleUpperCase(tag) + text.slice(1)
  }
  const sentence = (): string => {
    const first = phrase(5 + random(7))
    const second = Array.from({ length: 3 + random(6) }, word).join(space)
    const edge = space === '' ? '' : ' '
    return `${first}${comma.trim() === '' ? comma : comma + edge}${second}${stop}`
  }
  const format = new Intl.DateTimeFormat(tag, {
    ...dateStyles[(seed + (seed >> 3)) % dateStyles.length],
    timeZone: 'UTC',
  })
  return {
    labels,
    tag,
    random,
    phrase,
    paragraph: () => Array.from({ length: 3 + random(4) }, sentence).join(space === '' && stop === ' ' ? '' : space),
    name: () => names[random(names.length)]!,
    day: (time) => format.format(time),
  }
}

function storyOf(writer: Writer): Story {
  const { random, phrase, paragraph, name, day } = writer
  const time = start + random(2_000) * dayLength
  return {
    title: phrase(6 + random(4)),
    author: name(),
    time,
    iso: new Date(time).toISOString().slice(0, 10),
    day: day(time),
    updated: day(time + 40 * dayLength),
    site: phrase(2),
    paragraphs: Array.from({ length: 5 + random(8) }, paragraph),
    headings: Array.from({ length: 3 }, () => phrase(4)),
  }
}

/** A structure returns the body of a page and what of it is content. */
export type Structure = (
  story: Story,
  writer: Writer,
) => {
  readonly head?: string
  readonly body: string
  readonly content: readonly string[]
  readonly path?: string
  /** Whether the page names its author and its day. */
  readonly hasFacts?: boolean
}

/** Makes the page with this seed: a structure in a language. */
export function makePage(language: Language, structure: Structure, seed: number): MadePage {
  const writer = writerOf(language, seed)
  const story = storyOf(writer)
  const { head = '', body, content, path = '/story', hasFacts = true } = structure(story, writer)
  const direction = language.isRtl ? ' dir="rtl"' : ''
  const html =
    `<!DOCTYPE html><html lang="${language.tag}"${direction}><head><meta charset="utf-8">` +
    `<title>${story.title} | ${story.site}</title>${head}</head><body>${body}</body></html>`
  return {
    url: `https://site.example${path}-${seed}`,
    html,
    text: [story.title, ...content].join('\n'),
    title: story.title,
    author: hasFacts ? story.author : '',
    date: hasFacts ? story.iso : '',
  }
}
