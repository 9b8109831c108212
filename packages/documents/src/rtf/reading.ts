// State of the RTF reader, and routing to destinations.
import type { Take } from '../converting.ts'
import { makeNotes, type Notes } from '../html/notes.ts'
import { decodeBytes } from './code-pages.ts'
import { makePage, type Page } from './page.ts'
import { firstState, resetCharacters, type Destination, type State } from './state.ts'

export interface Reading {
  state: State
  readonly stack: State[]
  /** Counts elements before they are added to the page. */
  readonly take: Take
  readonly notes: Notes
  /** The page, and the note that is being read, if any. */
  readonly pages: Page[]
  /** Code pages by font. */
  readonly fonts: Map<number, number>
  /** Metadata of the file. */
  readonly metadata: Map<string, string>
  codePage: number
  /** Number of open groups beyond the depth limit. */
  tooDeep: number
  /** The outermost group has begun. */
  hasBegun: boolean
  /** There is input after the outermost group, which should end the file. */
  isPastEnd: boolean
  isStarred: boolean
  /** Number of fallback characters to skip, for a character that was already read. */
  toSkip: number
  /** Text that is not decoded yet. */
  bytes: string
  definedFont: number
  /** Link target of the next field result. */
  href: string | undefined
  instruction: string
  listText: string
  readonly style: { name: string; id: number; outline: number | undefined }
}

/** Creates the state for reading a file. `take` counts its text runs and paragraphs. */
export function startReading(take: Take): Reading {
  return {
    take,
    state: firstState(),
    stack: [],
    notes: makeNotes(),
    pages: [makePage(take)],
    fonts: new Map(),
    metadata: new Map(),
    codePage: 1252,
    tooDeep: 0,
    hasBegun: false,
    isPastEnd: false,
    isStarred: false,
    toSkip: 0,
    bytes: '',
    definedFont: -1,
    href: undefined,
    instruction: '',
    listText: '',
    style: { name: '', id: 0, outline: undefined },
  }
}

/** Returns the page that text goes to: the note that is being read, or else the document. */
export function pageOf({ pages }: Reading): Page {
  return pages[pages.length - 1] as Page
}

/** Returns whether text is visible content now, and not a style name, metadata or the like. */
export function isText({ state }: Reading): boolean {
  return state.destination === 'body' || state.destination === 'footnote'
}

/** Decodes pending text, before its encoding or destination changes. */
export function flush(reading: Reading): void {
  const { bytes, fonts, state, codePage } = reading
  if (bytes === '') return
  reading.bytes = ''
  put(reading, decodeBytes(bytes, fonts.get(state.font) ?? codePage))
}

/** Adds text to the current destination. Hidden and deleted text, and text in skipped groups, is dropped. */
export function put(reading: Reading, text: string): void {
  const { state, metadata } = reading
  if (state.isHidden || state.isDeleted) return
  if (isText(reading)) pageOf(reading).text(text, state)
  else if (state.destination === 'listtext') reading.listText += text
  else if (state.destination === 'instruction') reading.instruction += text
  else if (state.destination === 'styles') reading.style.name += text
  else if (state.destination === 'info' && state.fact !== undefined) {
    metadata.set(state.fact, (metadata.get(state.fact) ?? '') + text)
  }
}

/** Handles the start of a destination, such as a footnote. A note inside a note is skipped. */
export function enter(reading: Reading, destination: Destination): void {
  const { state, pages } = reading
  // Notes inside notes are invalid, and endless nesting would be an attack.
  state.destination = destination === 'footnote' && pages.length > 1 ? 'skip' : destination
  if (state.destination === 'footnote') {
    pages.push(makePage(reading.take))
    resetCharacters(state)
  }
  if (destination === 'instruction') reading.instruction = ''
  if (destination === 'listtext') reading.listText = ''
}

/**
 * Handles the end of a group that had the state `left`, once `reading.state` is that of the group around it: completes a
 * style, note, link target or list label. Does nothing for other groups.
 */
export function leave(reading: Reading, left: State): void {
  if (left.destination === 'styles') endStyle(reading)
  if (left.destination === reading.state.destination) return
  if (left.destination === 'footnote') endNote(reading)
  if (left.destination === 'instruction') {
    reading.href = /HYPERLINK\s+"([^"]*)"/.exec(reading.instruction)?.[1]
  }
  if (left.destination === 'listtext') pageOf(reading).listText(reading.listText)
}

/** Ends the note that is being read, and adds a reference to it to the page. Does nothing outside a note. */
export function endNote(reading: Reading): void {
  const { pages, notes } = reading
  if (pages.length < 2) return
  const note = pages.pop() as Page
  pageOf(reading).html(notes.add('', note.end()), firstState())
}

function endStyle(reading: Reading): void {
  const { style } = reading
  if (style.name === '') return
  pageOf(reading).style(style.id, style.name.replace(/;.*$/s, '').trim(), style.outline)
  Object.assign(style, { name: '', id: 0, outline: undefined })
}
