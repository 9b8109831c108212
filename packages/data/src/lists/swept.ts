// Lists that keep only the visible rows in the page: scrolled in the page, row by row as they are drawn, many strides in one go.
import type { ActionContext } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { pageCall } from '@harvestman/ports/adapters'
import { z } from 'zod'

import { scrollToLast, sweep } from '../page-scripts.ts'
import { listingReading } from '../readings.ts'
import type { Gathered } from './gather.ts'
import { listingSchema } from './listing.ts'
import { runSafely } from './run.ts'

/** Of one sweep: strides, milliseconds, those that new rows are waited for, drawn rows, and characters of all that was drawn. */
const bounds = { strides: 100, time: 1_000, patience: 300, rows: 200, text: 900_000 } as const

/** Scrolls to the last row of a list. */
export async function toLast(tab: Tab, place: string | undefined, signal: AbortSignal): Promise<void> {
  if (place !== undefined) await tab.evaluate(pageCall(scrollToLast, place), signal)
}

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
  const drawn = sweptSchema.parse(
    await runSafely(tab, sweep, [place, Math.min(strides, bounds.strides), bounds], signal),
  )
  const url = await tab.url()
  // Each is read by itself: what tells rows apart within one drawing may be used again by the next.
  for (const list of drawn) {
    if (gathered.isFull()) break
    const html = `<!doctype html><body>${list}</body>`
    gathered.add(listingSchema.parse(await read({ url, html }, listingReading, gathered.known())))
  }
  return drawn.length
}
