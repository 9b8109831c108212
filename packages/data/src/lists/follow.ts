// Collects the rest of a list as a person would: next page, "load more" or scrolling.
import type { ActionContext } from '@harvestman/core/plugin'
import { EngineError, type Tab } from '@harvestman/ports'

import { listingReading } from '../readings.ts'
import { reached, readAdded, type ReadTo } from './added.ts'
import { followAnswers } from './answers.ts'
import type { Gathered } from './gather.ts'
import { lateAfter } from './late.ts'
import { listingSchema, type Listing } from './listing.ts'
import type { End } from './proof.ts'
import { sweepOn, toLast } from './swept.ts'

interface FollowLimits {
  readonly steps: number
  readonly time: number
  readonly next?: string | undefined
}

interface Kit extends ActionContext {
  readonly gathered: Gathered
  readonly limit: number
}

/**
 * Collects rows in the page until there are no more or a limit is reached; `limits.time` is in milliseconds. Resolves to the
 * reason and the number of steps. Rejects if it is aborted or the browser fails.
 */
export async function follow(
  tab: Tab,
  limits: FollowLimits,
  kit: Kit,
): Promise<{ readonly end: End; readonly steps: number }> {
  const late = lateAfter(kit, limits.time)
  const walk = {
    tab,
    limits,
    kit,
    signal: AbortSignal.any([kit.signal, late.signal]),
    steps: 0,
    html: '',
    grows: false,
    slides: false,
    hasTurned: false,
  }
  try {
    return { end: await walkOn(walk), steps: walk.steps }
  } catch (error) {
    if (kit.signal.aborted || !late.signal.aborted) throw error
    return { end: late.bound, steps: walk.steps }
  } finally {
    late.end()
  }
}

interface Walk {
  readonly tab: Tab
  readonly limits: FollowLimits
  readonly kit: Kit
  readonly signal: AbortSignal
  steps: number
  /** HTML of the last read. */
  html: string
  /** Result of the last read, and the end of its list. */
  listing?: Listing
  to?: ReadTo | undefined
  /** Whether the list has grown by appending rows. */
  grows: boolean
  /** Whether scrolling replaced rows, as in a virtual list. */
  slides: boolean
  /** Whether another page of items replaced the first one. */
  hasTurned: boolean
}

async function walkOn(walk: Walk): Promise<End> {
  const { limits, kit } = walk
  let listing = (await untilNew(walk, waits.first)) ?? (await read(walk))
  if (await hasAll(walk)) return kit.gathered.isFull() ? 'limit' : 'reached'
  for (;;) {
    if (kit.gathered.isFull()) return kit.gathered.size < kit.limit ? 'size' : 'limit'
    if (kit.gathered.size === kit.gathered.total) return 'reached'
    if (walk.steps >= limits.steps) return 'steps'
    walk.steps += 1
    const next = await step(walk, listing)
    if (!next) return 'reached'
    listing = next
  }
}

/** Whether the JSON API of the page returned the complete list. */
async function hasAll(walk: Walk): Promise<boolean> {
  const { limits, kit, tab, html, signal } = walk
  if (limits.next !== undefined) return false
  const { size } = kit.gathered
  const answered = await followAnswers({ tab, html, signal, steps: limits.steps }, kit)
  walk.steps += answered?.steps ?? 0
  const { total = 0 } = kit.gathered
  return answered?.isAll === true && kit.gathered.size > size && kit.gathered.size >= total
}

/** Tries the ways to get more items and returns the first that brings new ones, or `undefined`. */
async function step(walk: Walk, listing: Listing): Promise<Listing | undefined> {
  const { limits, tab, signal } = walk
  const { more } = listing
  const selector = limits.next ?? more?.selector
  if (selector !== undefined && (await clicked(walk, selector))) {
    walk.hasTurned ||= more?.way === 'next'
    const found = await untilNew(walk, waits.clicked)
    if (found) return found
  }
  if (!walk.hasTurned) {
    if (await hasSwept(walk, listing)) return listing
    await toLast(tab, listing.place, signal)
    const found = await untilNew(walk, waits.moved)
    walk.slides = found !== undefined && !walk.grows
    if (found) return found
    await tab.scroll('down', undefined, signal)
    const lower = await untilNew(walk, waits.scrolled)
    if (lower) return lower
  }
  return selector === undefined ? opened(walk, listing) : undefined
}

/** Whether a fast scroll brought new items. Counts each stride as a step. */
async function hasSwept(walk: Walk, { place, json }: Listing): Promise<boolean> {
  const { limits, tab, kit, signal } = walk
  if (!walk.slides || place === undefined || json) return false
  const { size } = kit.gathered
  const strides = await sweepOn(tab, place, limits.steps - walk.steps + 1, kit, signal)
  const isNew = kit.gathered.size > size
  if (isNew) walk.steps += strides - 1
  return isNew
}

/** Opens the next page by the `rel="next"` link in the head, if it is on the same origin. */
async function opened(walk: Walk, { next }: Listing): Promise<Listing | undefined> {
  const { tab, signal } = walk
  const [here, there] = [URL.parse(await tab.url()), URL.parse(next ?? '')]
  if (!there || there.origin !== here?.origin || there.href === here.href) return undefined
  await tab.goto(there, signal)
  walk.hasTurned = true
  return untilNew(walk, waits.clicked)
}

/** Returns false if the control cannot be clicked. */
async function clicked({ tab, signal }: Walk, selector: string): Promise<boolean> {
  try {
    await tab.click(selector, { all: false }, signal)
    return true
  } catch (error) {
    if (signal.aborted || !EngineError.is(error) || error.code !== 'action_failed') throw error
    return false
  }
}

/**
 * How long to wait for new items, in milliseconds. `grows` is how long only the end of a growing list is read before the full
 * page.
 */
const waits = { first: 0, clicked: 5_000, moved: 2_000, scrolled: 1_000, grows: 2_000 }
const pauses = { first: 60, most: 500, growth: 1.6 }

/** Polls the page until it has new items. Returns `undefined` if none appear in time. */
async function untilNew(walk: Walk, wait: number): Promise<Listing | undefined> {
  const { kit, signal } = walk
  const start = kit.clock.now()
  for (let pause = pauses.first; ; pause = Math.min(pause * pauses.growth, pauses.most)) {
    if (await hasGrown(walk)) return walk.listing
    const waited = kit.clock.now() - start
    const listing = !walk.grows || waited >= Math.min(wait, waits.grows) ? await readChanged(walk) : undefined
    if (listing && kit.gathered.add(listing) > 0) return (await settled(walk)) ?? listing
    if (waited >= wait) return undefined
    await kit.clock.sleep(pause, signal)
  }
}

/** Whether new items were appended. Only these are read; the control for the next page is assumed to be unchanged. */
async function hasGrown(walk: Walk): Promise<boolean> {
  const { tab, to, kit, signal, listing } = walk
  // Fields from the page's JSON need the full page.
  if (!to || !listing || listing.json) return false
  const added = await readAdded(tab, to, kit, signal)
  if (!added) return false
  walk.to = added.to
  const isNew = kit.gathered.add(added.listing) > 0
  walk.grows ||= isNew
  return isNew
}

/** Waits briefly and reads again, because items may arrive in several batches. */
async function settled(walk: Walk): Promise<Listing | undefined> {
  await walk.kit.clock.sleep(pauses.first, walk.signal)
  const listing = await readChanged(walk)
  if (listing) walk.kit.gathered.add(listing)
  return listing
}

/** Reads the page. Returns `undefined` if its HTML is unchanged. */
async function readChanged(walk: Walk): Promise<Listing | undefined> {
  const { tab, signal, listing } = walk
  const to = await reached(tab, listing?.place, signal)
  const html = await tab.html(signal)
  if (html === walk.html) return undefined
  walk.html = html
  walk.listing = await read(walk)
  walk.to = to?.place === walk.listing.place ? to : undefined
  return walk.listing
}

async function read({ tab, html, kit: { read, gathered } }: Walk): Promise<Listing> {
  return listingSchema.parse(await read({ url: await tab.url(), html }, listingReading, gathered.known()))
}
