import type { JobRow } from '@harvestman/client'

/** How a page differs between two runs. */
export type Difference = 'added' | 'gone' | 'changed' | 'same'

/** A page of two runs. */
export interface ComparedRow {
  readonly url: string
  readonly difference: Difference
  /** Describes the differences. */
  readonly says: string
}

/**
 * Compares the pages of two runs by URL: status, title and size. Of duplicates, the first counts. A page of only one
 * run is `added` or `gone`.
 */
export function compareRows(before: readonly JobRow[], after: readonly JobRow[]): readonly ComparedRow[] {
  const [older, newer] = [byAddress(before), byAddress(after)]
  const urls = new Set([...newer.keys(), ...older.keys()])
  return [...urls].map((url) => {
    const [one, other] = [older.get(url), newer.get(url)]
    if (!one || !other) return { url, difference: one ? 'gone' : 'added', says: sayOne(one ?? other) }
    const says = differencesOf(one, other)
    return { url, difference: says.length > 0 ? 'changed' : 'same', says: says.join(', ') }
  })
}

function byAddress(rows: readonly JobRow[]): ReadonlyMap<string, JobRow> {
  const found = new Map<string, JobRow>()
  for (const row of rows) if (row.outcome !== 'left' && !found.has(row.url)) found.set(row.url, row)
  return found
}

function sayOne(row: JobRow | undefined): string {
  return row ? statusOf(row) : ''
}

function statusOf({ outcome, status, code }: JobRow): string {
  return outcome === 'failed' ? `failed${code === undefined ? '' : ` (${code})`}` : `status ${status ?? 0}`
}

function differencesOf(one: JobRow, other: JobRow): readonly string[] {
  const [before, after] = [statusOf(one), statusOf(other)]
  if (before !== after) return [`${before} → ${after}`]
  const title = one.title === other.title ? [] : [`title “${one.title ?? ''}” → “${other.title ?? ''}”`]
  const by = (other.bytes ?? 0) - (one.bytes ?? 0)
  // Times and ids change the size of an otherwise equal page by a few bytes.
  return Math.abs(by) > smallestChange ? [...title, `${by > 0 ? '+' : '−'}${Math.abs(by)} bytes`] : title
}

const smallestChange = 16
