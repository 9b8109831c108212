// Reads only the rows that were appended to a growing list, so that each step takes the same time however long the list is.
import type { ActionContext } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { z } from 'zod'

import { readListSize, readNewRows } from '../page-scripts.ts'
import { listingReading } from '../readings.ts'
import type { Gathered } from './gather.ts'
import { listingSchema, type Listing } from './listing.ts'
import { runSafely } from './run.ts'

/** The position up to which a list was read: its number of rows, and its last row. */
export interface ReadTo {
  readonly place: string
  readonly size: number
  readonly last: string
}

/** Number of earlier rows that are read again for context, and maximum sizes in characters of one read and of one row. */
const bounds = { context: 10, text: 900_000, row: 20_000 } as const

const sizeSchema = z.object({ size: z.int(), last: z.string() }).nullable()
const addedSchema = z.object({ size: z.int(), last: z.string(), html: z.string() }).nullable()

/**
 * Returns the current end of the list with the CSS selector `place`. Call it before reading the full page. Returns `undefined`
 * without a place, if the list is not found or empty, or if its last row has more than 20,000 characters. Rejects when aborted
 * or if the browser fails.
 */
export async function reached(tab: Tab, place: string | undefined, signal: AbortSignal): Promise<ReadTo | undefined> {
  if (place === undefined) return undefined
  const found = sizeSchema.parse((await runSafely(tab, readListSize, [place, bounds.row], signal)) ?? null)
  return found ? { place, ...found } : undefined
}

interface Kit extends Pick<ActionContext, 'read'> {
  readonly gathered: Gathered
}

/**
 * Returns the appended rows, with up to 10 rows before them, and the new end of the list. Returns `undefined` if there are
 * none, if the last known row has changed, or if the rows are too long. Rejects when aborted or if the browser fails.
 */
export async function readAdded(
  tab: Tab,
  { place, size, last }: ReadTo,
  { read, gathered }: Kit,
  signal: AbortSignal,
): Promise<{ readonly listing: Listing; readonly to: ReadTo } | undefined> {
  const added = addedSchema.parse((await runSafely(tab, readNewRows, [place, size, last, bounds], signal)) ?? null)
  if (!added) return undefined
  const html = `<!doctype html><body>${added.html}</body>`
  const listing = listingSchema.parse(await read({ url: await tab.url(), html }, listingReading, gathered.known()))
  return { listing, to: { place, size: added.size, last: added.last } }
}
