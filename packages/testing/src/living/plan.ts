// The daily events of the pages of a living site. The plan depends on the seed alone.
import { chance } from './chance.ts'

/** An event in the life of a page. Its effect lasts until another event changes it. */
export interface LivingEvent {
  /** Milliseconds since the start of the site. */
  readonly at: number
  /** What happens: the content or the price changes, or the page disappears, returns, or moves to another URL. */
  readonly is: 'text' | 'price' | 'gone' | 'back' | 'moved'
}

/** How truthfully the response headers describe the age of the page. */
export type Honesty = 'honest' | 'same etag for ever' | 'new etag each time' | 'modified now' | 'says nothing'

/** The life of one page. */
export interface PagePlan {
  readonly number: number
  readonly honesty: Honesty
  /** In chronological order. */
  readonly events: readonly LivingEvent[]
  /** Numbers of the days on which requests for it fail, and on which they are slow. */
  readonly failing: ReadonlySet<number>
  readonly slow: ReadonlySet<number>
}

/** The state of a page at a time. */
export interface PageState {
  readonly isGone: boolean
  readonly isMoved: boolean
  /** Number of changes of its text, and of its price. */
  readonly text: number
  readonly price: number
  readonly isFailing: boolean
  readonly isSlow: boolean
}

/** Frequency of events on a site. */
export interface PlanOptions {
  readonly seed: number
  readonly pages: number
  readonly days: number
  /** Average number of content or price changes per page over all days. Default: 1.5. */
  readonly changes?: number | undefined
  /** Fraction of pages that disappear at some time. Half of them return. Default: 0.05. */
  readonly gone?: number | undefined
  /** Fraction of pages that move. Default: 0.03. */
  readonly moved?: number | undefined
  /** Fraction of days on which requests for a page fail, and on which they are slow. Default: 0.005. */
  readonly trouble?: number | undefined
  /** The same headers for all pages. Default: different for each page. */
  readonly honesty?: Honesty | undefined
}

/** A day in milliseconds. */
export const livingDay = 86_400_000

const honesties: readonly Honesty[] = [
  ...(['honest', 'same etag for ever', 'new etag each time', 'modified now', 'says nothing'] as const),
]

/** Creates the plan of all pages. The same seed gives the same plan. */
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

/** Returns the state of a page this many milliseconds after the start. */
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

/**
 * Returns when the content or price of a page last changed, in milliseconds since 1970; `start`, the start of the
 * site, if it never changed.
 */
export function changedAt({ events }: PagePlan, now: number, start: number): number {
  return start + (events.findLast(({ at, is }) => at <= now - start && (is === 'text' || is === 'price'))?.at ?? 0)
}
