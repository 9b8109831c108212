// Reads lists that grow or render only visible rows. Runs inside the page.
import { nextFrame } from '../../ports/page/elements.ts'

const outerOf = (list: Element): string =>
  /^t(?:body|head|foot)$/.test(list.localName) ? `<table>${list.outerHTML}</table>` : list.outerHTML

/** Returns the number of rows of a list and the HTML of the last one; `null` if that is longer than `maxRow` characters. */
export function readListSize(place: string, maxRow: number): { size: number; last: string } | null {
  const rows = document.querySelector(place)?.children
  const last = rows?.[rows.length - 1]?.outerHTML ?? ''
  return !rows || last === '' || last.length > maxRow ? null : { size: rows.length, last }
}

/** Limits for reading new rows. */
export interface AddedLimits {
  /** Number of earlier rows to include again. */
  readonly context: number
  /** Maximum characters of all rows. */
  readonly text: number
  /** Maximum characters of the last row. */
  readonly row: number
}

/** Returns the rows appended after the first `size`; `null` if there are none, or if earlier rows changed. */
export function readNewRows(
  place: string,
  size: number,
  last: string,
  limits: AddedLimits,
): { size: number; last: string; html: string } | null {
  const list = document.querySelector(place)
  const rows = list?.children
  if (!list || !rows || rows.length <= size || rows[size - 1]?.outerHTML !== last) return null
  const end = rows[rows.length - 1]?.outerHTML ?? ''
  let html = ''
  let length = 0
  for (let at = Math.max(0, size - limits.context); at < rows.length; at += 1) {
    const row = rows[at]?.outerHTML ?? ''
    if ((length += row.length) > limits.text) return null
    html += row
  }
  if (end.length > limits.row) return null
  const { localName } = list
  const around = (list.cloneNode(false) as Element).outerHTML
  const full = `${around.slice(0, -localName.length - 3)}${html}</${localName}>`
  const isPart = /^t(?:body|head|foot)$/.test(localName)
  return { size: rows.length, last: end, html: isPart ? `<table>${full}</table>` : full }
}

// Virtual lists reuse row elements in any order, so the last row is the lowest on the page.
function lowestOf(rows: Iterable<Element>): Element | undefined {
  let found: Element | undefined
  let lowest = -Infinity
  for (const row of rows) {
    const { bottom, height } = row.getBoundingClientRect()
    if (height <= 0 || bottom <= lowest) continue
    found = row
    lowest = bottom
  }
  return found
}

const toTop = { block: 'start', behavior: 'instant' } as const

/** Scrolls to the last row of a list. */
export function scrollToLast(place: string): void {
  lowestOf(document.querySelector(place)?.children ?? [])?.scrollIntoView(toTop)
}

/** Limits of `sweep`. */
export interface SweepLimits {
  /** Maximum total time, in milliseconds. */
  readonly time: number
  /** Maximum time to wait for new rows, in milliseconds. */
  readonly patience: number
  /** Maximum number of rows in the DOM at a time. */
  readonly rows: number
  /** Maximum characters of all snapshots. */
  readonly text: number
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, index) => one === others[index])
const isDrawn = (words: readonly string[]): boolean =>
  words.every((one) => one !== '') && new Set(words).size === words.length
const textOf = (row: Element): string => (row.textContent ?? '').trim()

const busy = '[aria-busy="true"]'
const isBusy = (list: Element | null): boolean =>
  !list || list.closest(busy) !== null || list.querySelector(busy) !== null

/**
 * Scrolls a virtual list to its last row again and again, and returns the HTML of the list after each step. A step is complete
 * if the row it scrolled to is still rendered, so no row was skipped; if all rows have distinct text, so none is a loading
 * placeholder; and if the rows were unchanged for one frame. Ends at the first step that is not.
 */
export async function sweep(place: string, strides: number, limits: SweepLimits): Promise<string[]> {
  const listNow = (): Element | null => document.querySelector(place)
  const rowsNow = (): Element[] => [...(listNow()?.children ?? [])]
  const wordsNow = (): string[] => rowsNow().map(textOf)
  const end = performance.now() + limits.time
  const drawn: string[] = []
  let length = 0
  let words = wordsNow()
  const hasNewWords = async (anchor: string): Promise<boolean> => {
    const patience = performance.now() + limits.patience
    let before = words
    while (performance.now() < patience) {
      // Wait until the page has rendered the frame.
      await nextFrame(50)
      const now = wordsNow()
      const isStill = isSame(now, before) && !isSame(now, words)
      if (isStill && now.includes(anchor) && isDrawn(now) && !isBusy(listNow())) return true
      before = now
    }
    return false
  }
  while (drawn.length < strides && words.length <= limits.rows && performance.now() < end) {
    const last = lowestOf(rowsNow())
    if (!last) break
    const anchor = textOf(last)
    last.scrollIntoView(toTop)
    if (!(await hasNewWords(anchor))) break
    words = wordsNow()
    const list = listNow()
    if (!list || (length += list.outerHTML.length) > limits.text) break
    drawn.push(outerOf(list))
  }
  return drawn
}
