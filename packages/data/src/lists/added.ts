// What a list that grows has got since it was read: the new rows are read alone, so that a step costs the same at its end as
// at its beginning.
import type { ActionContext } from '@harvestman/core/plugin'
import type { Tab } from '@harvestman/ports'
import { z } from 'zod'

import { readListSize, readNewRows } from '../page-scripts.ts'
import { listingReading } from '../readings.ts'
import type { Gathered } from './gather.ts'
import { listingSchema, type Listing } from './listing.ts'
import { runSafely } from './run.ts'

/** How far a list has been read: how many rows its element had, and the last of them. */
export interface ReadTo {
  readonly place: string
  readonly size: number
  readonly last: string
}

/** Rows from before that are read again, so that the new ones are seen among their like; and the most characters of one reading. */
const bounds = { context: 10, text: 900_000, row: 20_000 } as const

const sizeSchema = z.object({ size: z.int(), last: z.string() }).nullable()
const addedSchema = z.object({ size: z.int(), last: z.string(), html: z.string() }).nullable()

/** How far a list is there, asked before all of the page is read; nothing where it cannot be told. */
export async function reached(tab: Tab, place: string | undefined, signal: AbortSignal): Promise<ReadTo | undefined> {
  if (place === undefined) return undefined
  const found = sizeSchema.parse((await runSafely(tab, readListSize, [place, bounds.row], signal)) ?? null)
  return found ? { place, ...found } : undefined
}

interface Kit extends Pick<ActionContext, 'read'> {
  readonly gathered: Gathered
}

/** The rows that have come since; nothing where none have, or other things have changed too. */
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
