// Lists that keep only the visible rows in the page: scrolled in the page, row by row as they are drawn, many strides in one go.
import type { ActionContext } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { z } from 'zod'

import { listingReading } from '../readings.ts'
import type { Gathered } from './gather.ts'
import { listingSchema } from './listing.ts'
import { runSafely } from './run.ts'

/** Of one sweep: strides, milliseconds, those that new rows are waited for, drawn rows, and characters of all that was drawn. */
const bounds = { strides: 100, time: 1_000, patience: 300, rows: 200, text: 900_000 } as const

// Nodes are used again in any order, so the last row is the one that stands lowest.
const lowest = /* js */ `(rows) => {
  let found
  let most = -Infinity
  for (const row of rows) {
    const { bottom, height } = row.getBoundingClientRect()
    if (height > 0 && bottom > most) [found, most] = [row, bottom]
  }
  return found
}`

const toLowest = /* js */ `(place) => (${lowest})(document.querySelector(place)?.children ?? [])
  ?.scrollIntoView({ block: 'start', behavior: 'instant' })`

/** Scrolls to the last row of a list. */
export async function toLast(tab: Tab, place: string | undefined, signal: AbortSignal): Promise<void> {
  if (place !== undefined) await tab.evaluate(`(${toLowest})(${JSON.stringify(place)})`, signal)
}

// A stride counts when the row that it went to is still drawn, so that none is passed over; when every row has words of its
// own, as rows that still load do not; and when these have stayed from one frame to the next.
const sweep = /* js */ `async (place, strides) => {
  // After what the page itself does in the frame.
  const frame = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); setTimeout(resolve, 50) })
  const listNow = () => document.querySelector(place)
  const rowsNow = () => [...(listNow()?.children ?? [])]
  const wordsNow = () => rowsNow().map((row) => row.textContent.trim())
  const isDrawn = (words) => words.every((one) => one !== '') && new Set(words).size === words.length
  const busy = '[aria-busy="true"]'
  const isBusy = (list) => !list || list.closest(busy) !== null || list.querySelector(busy) !== null
  const isSame = (some, others) => some.length === others.length && some.every((one, index) => one === others[index])
  const end = performance.now() + ${bounds.time}
  const drawn = []
  let length = 0
  let words = wordsNow()
  while (drawn.length < strides && words.length <= ${bounds.rows} && performance.now() < end) {
    const last = (${lowest})(rowsNow())
    if (!last) break
    const anchor = last.textContent.trim()
    last.scrollIntoView({ block: 'start', behavior: 'instant' })
    const patience = performance.now() + ${bounds.patience}
    let isNew = false
    for (let before = words; !isNew && performance.now() < patience;) {
      await frame()
      const now = wordsNow()
      isNew = isSame(now, before) && !isSame(now, words) && now.includes(anchor) && isDrawn(now) && !isBusy(listNow())
      before = now
    }
    if (!isNew) break
    words = wordsNow()
    const list = listNow()
    const html = list.outerHTML
    if ((length += html.length) > ${bounds.text}) break
    drawn.push(/^t(?:body|head|foot)$/.test(list.localName) ? '<table>' + html + '</table>' : html)
  }
  return drawn
}`

const sweptSchema = z.array(z.string()).max(bounds.strides).catch([])

interface Kit extends Pick<ActionContext, 'read'> {
  readonly gathered: Gathered
}

/** Gathers what is drawn while a list is scrolled, at most so many times; gives how many times it was. */
export async function sweepOn(
  tab: Tab,
  place: string,
  strides: number,
  { read, gathered }: Kit,
  signal: AbortSignal,
): Promise<number> {
  const drawn = sweptSchema.parse(await runSafely(tab, sweep, [place, Math.min(strides, bounds.strides)], signal))
  const url = await tab.url()
  // Each is read by itself: what tells rows apart within one drawing may be used again by the next.
  for (const list of drawn) {
    if (gathered.isFull()) break
    const html = `<!doctype html><body>${list}</body>`
    gathered.add(listingSchema.parse(await read({ url, html }, listingReading, gathered.known())))
  }
  return drawn.length
}
