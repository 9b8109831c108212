// What happens to the pages of a living site, day by day. The plan follows from a seed, and from nothing else.
import { chance } from './chance.ts'

/** Something that happens to a page at a moment and stays so, until something else does. */
export interface LivingEvent {
  /** Milliseconds from the beginning of the site. */
  readonly at: number
  /** The text or the price changes; the page goes, comes back, or moves to another address. */
  readonly is: 'text' | 'price' | 'gone' | 'back' | 'moved'
}

/** What the server says of the age of a page, beside the page itself. */
export type Honesty = 'honest' | 'same etag for ever' | 'new etag each time' | 'modified now' | 'says nothing'

/** The life of one page. */
export interface PagePlan {
  readonly number: number
  readonly honesty: Honesty
  /** In the order of time. */
  readonly events: readonly LivingEvent[]
  /** Days on which the server fails for it, and those on which it is slow. */
  readonly failing: ReadonlySet<number>
  readonly slow: ReadonlySet<number>
}

/** How a page is at a moment. */
export interface PageState {
  readonly isGone: boolean
  readonly isMoved: boolean
  /** How often its text, and its price, have changed. */
  readonly text: number
  readonly price: number
  readonly isFailing: boolean
  readonly isSlow: boolean
}

/** How much happens on a site. */
export interface PlanOptions {
  readonly seed: number
  readonly pages: number
  readonly days: number
  /** Changes of text or price of a page, in all days; 1.5 when absent. */
  readonly changes?: number | undefined
  /** Of all pages, those that go at some time; 0.05 when absent. Half of them come back. */
  readonly gone?: number | undefined
  /** Of all pages, those that move; 0.03 when absent. */
  readonly moved?: number | undefined
  /** Of all days of a page, those on which the server fails, and is slow; 0.005 when absent. */
  readonly trouble?: number | undefined
  /** What the server says of the age of all pages; of each something else when absent. */
  readonly honesty?: Honesty | undefined
}

/** A day, in milliseconds. */
export const livingDay = 86_400_000

const honesties: readonly Honesty[] = [
  ...(['honest', 'same etag for ever', 'new etag each time', 'modified now', 'says nothing'] as const),
]

/** Makes the plan of all pages. */
export function planSite(options: PlanOptions): readonly PagePlan[] {
  return Array.from({ length: options.pages }, (_, number) => planPage(number, options))
}

function planPage(number: number, options: PlanOptions): PagePlan {
  const { seed, days, changes = 1.5, gone = 0.05, moved = 0.03, trouble = 0.005 } = options
  const next = chance(seed * 1_000_003 + number)
  const someTime = (): number => Math.floor(next() * days * livingDay)
  const count = Math.floor(changes * 2 * next() + 0.5)
  const events: LivingEvent[] = Array.from({ length: count }, () => ({
    at: someTime(),
    is: next() < 0.5 ? 'text' : 'price',
  }))
  if (next() < gone) {
    const at = someTime()
    events.push({ at, is: 'gone' })
    if (next() < 0.5) events.push({ at: at + Math.floor(next() * 10 + 1) * livingDay, is: 'back' })
  }
  if (next() < moved) events.push({ at: someTime(), is: 'moved' })
  const chosen = honesties[Math.floor(next() * honesties.length)] ?? 'honest'
  const daysOf = (): ReadonlySet<number> =>
    new Set(Array.from({ length: days }, (_, day) => day).filter(() => next() < trouble))
  return {
    number,
    honesty: options.honesty ?? chosen,
    events: events.toSorted((one, other) => one.at - other.at),
    failing: daysOf(),
    slow: daysOf(),
  }
}

/** How a page is so many milliseconds after the beginning. */
export function stateAt({ events, failing, slow }: PagePlan, at: number): PageState {
  const day = Math.floor(at / livingDay)
  const state = { isGone: false, isMoved: false, text: 0, price: 0, isFailing: failing.has(day), isSlow: slow.has(day) }
  for (const event of events) {
    if (event.at > at) break
    if (event.is === 'gone' || event.is === 'back') state.isGone = event.is === 'gone'
    else if (event.is === 'moved') state.isMoved = true
    else state[event.is] += 1
  }
  return state
}

/** When the text or the price of a page has changed last, on a clock that stood at `start` at the beginning. */
export function changedAt({ events }: PagePlan, now: number, start: number): number {
  return start + (events.findLast(({ at, is }) => at <= now - start && (is === 'text' || is === 'price'))?.at ?? 0)
}
