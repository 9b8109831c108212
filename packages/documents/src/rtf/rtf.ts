// Reads Rich Text Format. It is a stream of state changes, so it is read in one pass, without a tree.
import { countElements, type Converting, type Take } from '../converting.ts'
import { factsOf, type Converted, type Facts } from '../facts.ts'
import { damaged } from '../refuse.ts'
import { control } from './controls.ts'
import { endNote, enter, flush, isText, leave, pageOf, put, startReading, type Reading } from './reading.ts'
import { readTokens } from './tokens.ts'
import { destinations, ends, signs } from './words.ts'

// Real documents have no deeper groups. Text in deeper ones is still read.
const deepest = 10_000

/**
 * Reads an RTF file. Throws `unsupported_file` if it does not begin like one; content beyond the limits is omitted with a
 * warning.
 */
export function readRtf(bytes: Uint8Array, work: Converting): Converted {
  const { warn } = work
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!source.startsWith('{\\rtf')) throw damaged('it does not begin like RTF')
  let isFull = false
  const count = countElements(work)
  const take: Take = (...counted) => {
    const hasRoom = count(...counted)
    isFull ||= !hasRoom
    return hasRoom
  }
  const reading = startReading(take)
  readTokens(source, {
    open: () => open(reading),
    close: () => close(reading),
    word: (name, value) => word(reading, name, value),
    text: (more) => text(reading, more),
    isFull: () => isFull,
  })
  flush(reading)
  endNote(reading)
  const unclosed = isFull ? 0 : reading.stack.length + reading.tooDeep
  if (unclosed > 0)
    warn(`The file ends inside of ${unclosed} of its groups: it is cut off or damaged, and text may be missing.`)
  if (reading.isPastEnd) warn('The file continues after its end: it is damaged, and text may be wrong.')
  return { html: pageOf(reading).end() + reading.notes.html(), facts: factsIn(reading.metadata) }
}

function open(reading: Reading): void {
  flush(reading)
  if (reading.stack.length === 0 && reading.hasBegun) reading.isPastEnd = true
  reading.hasBegun = true
  reading.toSkip = 0
  reading.isStarred = false
  if (reading.stack.length >= deepest) reading.tooDeep += 1
  else reading.stack.push({ ...reading.state })
}

function close(reading: Reading): void {
  flush(reading)
  reading.toSkip = 0
  reading.isStarred = false
  if (reading.tooDeep > 0) {
    reading.tooDeep -= 1
    return
  }
  const left = reading.state
  const outer = reading.stack.pop()
  if (!outer) {
    reading.isPastEnd = true
    return
  }
  reading.state = outer
  leave(reading, left)
}

function word(reading: Reading, name: string, value: number | undefined): void {
  flush(reading)
  if (name === '*') {
    reading.isStarred = true
    return
  }
  const isStarred = reading.isStarred
  reading.isStarred = false
  if (name === 'u') {
    put(reading, String.fromCharCode((value ?? 0) & 0xffff))
    reading.toSkip = reading.state.fallback
  } else if (reading.toSkip > 0) reading.toSkip -= 1
  else if (reading.state.destination !== 'skip') obey(reading, name, value, isStarred)
}

function obey(reading: Reading, name: string, value: number | undefined, isStarred: boolean): void {
  const { state } = reading
  const destination = Object.hasOwn(destinations, name) ? destinations[name] : undefined
  const sign = Object.hasOwn(signs, name) ? signs[name] : undefined
  if (destination !== undefined) enter(reading, destination)
  else if (name === 'fldrslt') {
    state.href = reading.href
    reading.href = undefined
  } else if (isStarred) enter(reading, 'skip')
  else if (control(reading, name, value)) return
  else if (sign !== undefined) put(reading, sign)
  else if (!isText(reading)) return
  else if (ends.has(name)) pageOf(reading).endParagraph(state)
  else if (name === 'line') pageOf(reading).html('<br>', state)
  else pageOf(reading).tableWord(name, value, state)
}

function text(reading: Reading, more: string): void {
  const skipped = Math.min(reading.toSkip, more.length)
  reading.toSkip -= skipped
  if (reading.state.destination !== 'skip') reading.bytes += skipped === 0 ? more : more.slice(skipped)
}

function factsIn(told: ReadonlyMap<string, string>): Facts {
  return factsOf({
    title: told.get('title'),
    author: told.get('author'),
    description: told.get('doccomm') ?? told.get('subject'),
    keywords: told.get('keywords'),
    createdTime: timeIn(told, 'creatim'),
    modifiedTime: timeIn(told, 'revtim'),
  })
}

function timeIn(told: ReadonlyMap<string, string>, name: string): string | undefined {
  const part = (unit: string): string => (told.get(`${name}.${unit}`) ?? '0').padStart(2, '0')
  return Number(told.get(`${name}.yr`) ?? 0) > 0
    ? `${part('yr')}-${part('mo')}-${part('dy')}T${part('hr')}:${part('min')}:00`
    : undefined
}
