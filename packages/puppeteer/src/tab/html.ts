import { randomBytes } from 'node:crypto'

import { EngineError, type HiddenMarks, type ReadDocument } from '@harvestman/ports'

import { browserFailed } from '../lib/errors.ts'
import { pause } from '../lib/race.ts'
import { foreignFrame, nextOfText, serialise, waitForSheets } from '../page-scripts.ts'
import type { Frame } from './frames.ts'
import type { Reading } from './page-results.ts'
import type { View } from './view.ts'
import { contextLost, handleIn, runIn } from './worlds.ts'

const maxFrameDepth = 5
const maxForeignFrames = 50
/** Milliseconds to wait for style sheets. */
const maxSheetWait = 3_000
const maxTries = 20
const betweenTries = 25

// A long response is parsed in one step, which blocks this process.
const maxChunk = 1_000_000
const defaultMaxCharacters = 50_000_000

/** The remaining limits. */
interface Budget {
  frames: number
  characters: number
}

/**
 * Returns the current document of the page, with the documents of its frames, at most 5 levels deep, in their `srcdoc`. Rejects
 * with `browser_failed` if the page keeps navigating, with `response_too_large` above `maxBytes` of the profile (default:
 * 50,000,000 characters), or with the signal's reason.
 */
export async function readHtml(view: View, signal: AbortSignal): Promise<string> {
  return (await readWith(view, undefined, signal)).html
}

const incomplete =
  'The page is too large to examine it in the browser. Text that only style sheets at other URLs hide was not removed.'

/**
 * Reads the HTML of a tab as `readHtml` does, together with the elements that a visitor does not see. Adds a warning if a
 * limit prevents that.
 */
export async function readDocument(view: View, signal: AbortSignal, warnings: string[]): Promise<ReadDocument> {
  const mark = randomMark()
  await runIn(view.frames.main, waitForSheets, [maxSheetWait], signal, view.place.broken)
  const { html, isExamined, isIncomplete } = await readWith(view, mark, signal)
  if (isIncomplete) warnings.push(incomplete)
  return isExamined ? takeMarks(html, mark) : { html }
}

/** Random, so that no page can contain the mark. */
const randomMark = (): string => `data-${randomBytes(8).toString('hex')}`

async function readWith(
  view: View,
  hiddenMark: string | undefined,
  signal: AbortSignal,
): Promise<Examined & { readonly html: string }> {
  for (let tries = 0; tries < maxTries; tries++) {
    const budget = { frames: maxForeignFrames, characters: view.profile.maxBytes ?? defaultMaxCharacters }
    const result = { isExamined: false, isIncomplete: false }
    const html = await readFrame(view, view.frames.main, { depth: 0, hiddenMark, result }, budget, signal)
    if (html !== undefined) return { html, ...result }
    await pause(betweenTries, signal, view.place.broken)
  }
  throw browserFailed('The page navigates again and again, so it could not be read.')
}

type Examined = Pick<Reading, 'isExamined' | 'isIncomplete'>

interface FrameOptions {
  readonly depth: number
  readonly hiddenMark?: string | undefined
  /** Receives whether the document was searched for hidden elements. */
  readonly result?: { -readonly [key in keyof Examined]: boolean }
}

async function readFrame(
  view: View,
  frame: Frame,
  { depth, hiddenMark, result }: FrameOptions,
  budget: Budget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const signals = [signal, view.place.broken]
  const mark = randomMark()
  const args = [mark, maxFrameDepth - depth, maxChunk, ...(hiddenMark === undefined ? [] : [hiddenMark])]
  const reading = await runIn<Reading>(frame, serialise, args, ...signals)
  const text = reading === contextLost ? undefined : await readFullText(frame, reading, budget, signals)
  if (reading === contextLost || text === undefined) return undefined
  if (result) {
    result.isExamined = reading.isExamined
    result.isIncomplete = reading.isIncomplete
  }
  if (reading.foreign === 0) return text
  const inner: string[] = []
  for (let index = 0; index < reading.foreign; index++) {
    const child =
      budget.frames-- > 0 && depth < maxFrameDepth ? await frameBehind(view, frame, index, signals) : undefined
    inner.push((child && (await readFrame(view, child, { depth: depth + 1 }, budget, signal))) ?? '')
  }
  return text.replaceAll(new RegExp(`${mark}="(\\d+)"`, 'g'), (_, index: string) => {
    const html = inner[Number(index)]
    return html ? `srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"` : ''
  })
}

/** Returns the complete text, or `undefined` if the frame has navigated meanwhile. */
async function readFullText(
  frame: Frame,
  { start, length }: Reading,
  budget: Budget,
  signals: readonly AbortSignal[],
): Promise<string | undefined> {
  budget.characters -= length
  if (budget.characters < 0) throw tooLong()
  let text = start
  while (text.length < length) {
    const more = await runIn<string | undefined>(frame, nextOfText, [text.length, text.length + maxChunk], ...signals)
    if (more === contextLost || !more) return undefined
    text += more
  }
  return text
}

/** Removes the marks, and returns them with their positions. */
function takeMarks(marked: string, mark: string): ReadDocument {
  const hidden: HiddenMarks[number][] = []
  const parts: string[] = []
  let from = 0
  let length = 0
  let isExact = true
  for (const { 0: written, 1: how = '', index } of marked.matchAll(new RegExp(` ${mark}="([a-z -]*)"`, 'g'))) {
    parts.push(marked.slice(from, index))
    length += index - from
    from = index + written.length
    // An attribute that was added is the last one of its tag.
    isExact &&= marked[from] === '>'
    hidden.push([length + 1, how])
  }
  const html = hidden.length === 0 ? marked : parts.join('') + marked.slice(from)
  return isExact ? { html, hidden } : { html }
}

function tooLong(): EngineError {
  return new EngineError('response_too_large', 'The page exceeds the size limit of this engine.')
}

async function frameBehind(
  view: View,
  frame: Frame,
  index: number,
  signals: readonly AbortSignal[],
): Promise<Frame | undefined> {
  const handle = await handleIn(frame, foreignFrame, [index], ...signals)
  if (handle === contextLost || !handle.objectId) return undefined
  try {
    const { node } = await frame.session.send('DOM.describeNode', { objectId: handle.objectId })
    return node.frameId === undefined ? undefined : view.frames.find(node.frameId)
  } catch {
    // The frame was removed meanwhile.
    return undefined
  }
}
