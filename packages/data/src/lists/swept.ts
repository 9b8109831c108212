// Collects virtual lists, which keep only visible rows in the DOM. The script scrolls many times in one call.
import type { ActionContext } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'
import { z } from 'zod'

import { scrollToLast, sweep } from '../page-scripts.ts'
import { listingReading } from '../readings.ts'
import type { Gathered } from './gather.ts'
import { listingSchema } from './listing.ts'
import { runSafely } from './run.ts'

/**
 * Limits of one sweep. `time` is the total and `patience` the wait for new rows, both in milliseconds; `text` is in characters.
 */
const bounds = { strides: 100, time: 1_000, patience: 300, rows: 200, text: 900_000 } as const

/**
 * Scrolls to the last row of a list. Does nothing without a selector. Rejects when aborted or if the browser fails, also with
 * `action_failed` if the page navigates away.
 */
export async function toLast(tab: Tab, place: string | undefined, signal: AbortSignal): Promise<void> {
  if (place !== undefined) await tab.evaluate(pageCall(scrollToLast, place), signal)
}

const sweptSchema = z.array(z.string()).max(bounds.strides).catch([])

interface Kit extends Pick<ActionContext, 'read'> {
  readonly gathered: Gathered
}

/**
 * Scrolls at most `strides` times, 100 times and about one second, and collects the visible rows. Returns the number of
 * strides that brought new rows, 0 if the list is not found. Rejects when aborted or if the browser fails.
 */
export async function sweepOn(
  tab: Tab,
  place: string,
  strides: number,
  { read, gathered }: Kit,
  signal: AbortSignal,
): Promise<number> {
  const drawn = sweptSchema.parse(
    await runSafely(tab, sweep, [place, Math.min(strides, bounds.strides), bounds], signal),
  )
  const url = await tab.url()
  // Each snapshot is read separately, because the page may reuse row ids for other items after scrolling.
  for (const list of drawn) {
    if (gathered.isFull()) break
    const html = `<!doctype html><body>${list}</body>`
    gathered.add(listingSchema.parse(await read({ url, html }, listingReading, gathered.known())))
  }
  return drawn.length
}
