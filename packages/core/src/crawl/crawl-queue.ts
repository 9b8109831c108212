import type { RunContext } from '../jobs/run/strategy.ts'
import { numberSet } from '../lib/number-set.ts'
import { makeFrontier, type Frontier } from './frontier.ts'
import type { Waiting } from './waiting.ts'
import type { FoundAddress } from './notes.ts'

/** The addresses of a crawl on their way from being found to being done. */
export interface CrawlQueue {
  /** How many were found, and how many of them are done. */
  readonly found: number
  readonly done: number
  /** Puts addresses at its end, numbered in their order. */
  add(addresses: readonly FoundAddress[]): void
  /** The log was read: what waits is offered from now on, and at once what waited until then. */
  begin(): void
  /** The next address of a host; nothing when none is there, or none may be visited. */
  take(host: string): Waiting | undefined
  /** The address that is being visited under this number. */
  visited(number: number): Waiting | undefined
  putBack(number: number): void
  finish(number: number): void
}

/** `mayVisit` is told how many visits are under way. */
export function makeCrawlQueue(context: RunContext, mayVisit: (underWay: number) => boolean): CrawlQueue {
  const frontier = makeFrontier({ spill: context.scratch('frontier') })
  const visiting = new Map<number, Waiting>()
  /** Turns that were not used, by host, because the visits under way may be all that are wanted. */
  const held = new Map<string, number>()
  /** While the log is being read: pages that are done, and how many wait for each host, done ones among them. */
  const past = { done: numberSet(), waiting: new Map<string, number>() }
  let isReading = true
  let [found, done] = [0, 0]

  const addOne = (address: FoundAddress): void => {
    const isAtHand = frontier.add(found, address)
    found += 1
    if (!isAtHand) return
    const [, host] = address
    if (isReading) past.waiting.set(host, (past.waiting.get(host) ?? 0) + 1)
    else context.offer(host)
  }

  return {
    get found() {
      return found
    },
    get done() {
      return done
    },
    add: (addresses) => addresses.forEach(addOne),
    begin: () => {
      isReading = false
      for (const [host, count] of past.waiting) context.offer(host, count)
      past.waiting.clear()
    },
    take: (host) => {
      if (!mayVisit(visiting.size)) {
        held.set(host, (held.get(host) ?? 0) + 1)
        return undefined
      }
      let waiting = frontier.take(host)
      while (waiting && past.done.delete(waiting.number)) waiting = frontier.take(host)
      if (waiting) visiting.set(waiting.number, waiting)
      refill(frontier, context)
      return waiting
    },
    visited: (number) => visiting.get(number),
    putBack: (number) => {
      const waiting = visiting.get(number)
      visiting.delete(number)
      if (waiting) frontier.putBack(waiting)
    },
    finish: (number) => {
      done += 1
      if (isReading) past.done.add(number)
      visiting.delete(number)
      // A page that failed gives its place back.
      const turns = [...held]
      held.clear()
      for (const [host, count] of turns) context.offer(host, count)
    },
  }
}

function refill(frontier: Frontier, context: RunContext): void {
  if (!frontier.wantsRefill) return
  frontier.refill().then(
    (back) => back.forEach((count, host) => context.offer(host, count)),
    (error: unknown) => context.warn('Waiting URLs could not be read back; trying again.', error),
  )
}
