import type { RunContext } from '../jobs/run/strategy.ts'
import { numberBytes } from '@harvestman/toolbox/number-bytes'
import { addressPack, type FoundUrl, type Waiting } from '@harvestman/site'
import { numberSet } from '../lib/number-set.ts'
import { makeFrontier, type AddressReader, type Frontier } from './frontier.ts'

/** Queue of the URLs of a crawl, from found to finished. */
export interface CrawlQueue {
  /** Number of URLs found, and number of finished ones. */
  readonly found: number
  readonly done: number
  /** Appends URLs, numbered in this order. */
  add(addresses: readonly FoundUrl[]): void
  /** Must be called once the log has been read: from now on, waiting URLs are offered to the scheduler. */
  begin(): void
  /** Takes the next URL of a host; `undefined` if there is none or none may be visited. */
  take(host: string): Waiting | undefined
  /** Returns the URL with this number if it is being visited. */
  visited(number: number): Waiting | undefined
  putBack(number: number): void
  finish(number: number): void
  /** Returns the changes since the last call, for `restore`. */
  takeParts(): { readonly done: Uint8Array; readonly addresses: readonly Uint8Array[] }
  /** Restores a queue of `found` URLs. The unfinished ones are read when there is space in memory. */
  restore(found: number, done: readonly number[], addresses: readonly AddressReader[]): void
}

/** Maximum number of URLs in a snapshot part. */
const partLength = 5_000
/** Milliseconds until reading waiting URLs is retried after a failure. */
const retryAfter = 1_000

/**
 * Creates the empty queue of a crawl. `mayVisit` receives the number of running visits and returns whether another one may
 * start. Declined turns are offered again when a visit has finished.
 */
export function makeCrawlQueue(context: RunContext, mayVisit: (underWay: number) => boolean): CrawlQueue {
  const isDone = (number: number): boolean => past.delete(number)
  const frontier = makeFrontier({ spill: context.scratch('frontier'), isDone })
  const visiting = new Map<number, Waiting>()
  /** Unused turns by host. They were declined because the running visits may reach the limit. */
  const held = new Map<string, number>()
  const past = numberSet()
  const turns = turnsAfterReading(context)
  let [found, done] = [0, 0]
  /** Changes for the next snapshot. */
  const fresh = newUrls()

  const addOne = (address: FoundUrl): void => {
    const isAtHand = frontier.add(found, address)
    fresh.add(found, address)
    found += 1
    if (isAtHand) turns.offer(address[1])
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
      turns.begin()
      refill(frontier, context)
    },
    take: (host) => {
      if (!mayVisit(visiting.size)) {
        held.set(host, (held.get(host) ?? 0) + 1)
        return undefined
      }
      const waiting = nextOf(host, frontier, isDone)
      if (waiting) visiting.set(waiting.number, waiting)
      refill(frontier, context)
      return waiting
    },
    visited: (number) => visiting.get(number),
    putBack: (number) => {
      const waiting = visiting.get(number)
      if (waiting && visiting.delete(number)) frontier.putBack(waiting)
    },
    finish: (number) => {
      done += 1
      fresh.finish(number)
      if (turns.areHeld) past.add(number)
      visiting.delete(number)
      // If the page failed, another one may be visited instead.
      const unused = [...held]
      held.clear()
      for (const [host, count] of unused) context.offer(host, count)
    },
    takeParts: fresh.take,
    restore: (count, finished, addresses) => {
      found = count
      for (const number of finished) past.add(number)
      done += finished.length
      frontier.restore(addresses)
    },
  }
}

function nextOf(host: string, frontier: Frontier, isDone: (number: number) => boolean): Waiting | undefined {
  let waiting = frontier.take(host)
  while (waiting && isDone(waiting.number)) waiting = frontier.take(host)
  return waiting
}

/**
 * Offers turns to the scheduler. While the log is being read, only counts the waiting URLs by host, including finished ones.
 */
function turnsAfterReading(context: RunContext) {
  const waiting = new Map<string, number>()
  let areHeld = true
  return {
    get areHeld() {
      return areHeld
    },
    offer: (host: string): void => {
      if (areHeld) waiting.set(host, (waiting.get(host) ?? 0) + 1)
      else context.offer(host)
    },
    begin: (): void => {
      areHeld = false
      for (const [host, count] of waiting) context.offer(host, count)
      waiting.clear()
    },
  }
}

/** URLs found and finished since the last snapshot. */
function newUrls() {
  const done: number[] = []
  const full: Uint8Array[] = []
  const pack = addressPack()
  const cut = (): void => {
    if (pack.count > 0) full.push(pack.bytes().slice())
    pack.empty()
  }
  return {
    add: (number: number, address: FoundUrl): void => {
      pack.add(number, address)
      if (pack.count >= partLength) cut()
    },
    finish: (number: number): void => void done.push(number),
    take: () => {
      cut()
      return { done: numberBytes(done.splice(0)), addresses: full.splice(0) }
    },
  }
}

function refill(frontier: Frontier, context: RunContext): void {
  if (!frontier.wantsRefill) return
  const again = (): void => refill(frontier, context)
  frontier.refill().then(
    (back) => {
      back.forEach((count, host) => context.offer(host, count))
      // Every URL of the part may be finished already.
      again()
    },
    (error: unknown) => {
      context.warn('Waiting URLs could not be read back; trying again.', error)
      const later = setTimeout(again, retryAfter)
      context.signal.addEventListener('abort', () => clearTimeout(later), { once: true })
    },
  )
}
