// Reads monitors and their checks.
import type { z } from 'zod'

import type { MonitorKit } from '../kit.ts'
import type { CheckedPage, CheckRecord } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { checkListSchema, checkPagesSchema, listSchema, PageStatus } from '../requests/monitor.ts'
import { queuedCheck } from '../run/writer.ts'
import { findCheck, findMonitor, type OfTeam } from './find.ts'

/** Lists the monitors of a team, newest first. Empty beyond the last one. Rejects if the store fails. */
export async function listMonitors(
  { limit, offset }: z.output<typeof listSchema>,
  { team }: OfTeam,
  kit: MonitorKit,
): Promise<readonly MonitorRecord[]> {
  const read = (most: number, after?: string) => kit.indexes.ofTeam(team, most, after)
  const ids = await afterOffset({ offset, limit, read, idOf: (one) => one })
  const records = await Promise.all(ids.map((id) => kit.monitors.get(id)))
  return records.flatMap((record) => (record?.team === team ? [record] : []))
}

/** Lists the checks of a monitor, newest first. Rejects with `not_found` if the team has no such monitor. */
export async function listChecks(
  id: string,
  { limit, offset, status }: z.output<typeof checkListSchema>,
  call: OfTeam,
  kit: MonitorKit,
): Promise<readonly CheckRecord[]> {
  const isWanted = (one: CheckRecord): boolean => status === undefined || one.status === status
  const record = await findMonitor(id, call, kit)
  const queued = offset === 0 ? await queuedOnly(record, kit) : undefined
  const read = (most: number, after?: string) => kit.checks.list(id, most, after)
  const found = await afterOffset({ offset, limit, read, idOf: (one) => one.id, isWanted })
  return [...(queued && isWanted(queued) ? [queued] : []), ...found].slice(0, limit)
}

/** A check with some of its pages. */
interface FoundCheck {
  readonly check: CheckRecord
  readonly pages: readonly CheckedPage[]
  readonly hasMore: boolean
}

/** Returns a check with some of its pages, and whether there are more. Rejects with `not_found` if the team has no such check. */
export async function getCheck(
  id: string,
  checkId: string,
  { limit, skip, status }: z.output<typeof checkPagesSchema>,
  call: OfTeam,
  kit: MonitorKit,
): Promise<FoundCheck> {
  const check = await findCheck(id, checkId, call, kit)
  const pages = await pagesOf(check, { limit: limit + 1, skip, status }, kit)
  return { check, pages: pages.slice(0, limit), hasMore: pages.length > limit }
}

/** Returns the check of a monitor if no engine has started it yet. */
async function queuedOnly(record: MonitorRecord, { checks }: MonitorKit): Promise<CheckRecord | undefined> {
  const queued = queuedCheck(record)
  return queued && ((await checks.get(record.id, queued.id)) ? undefined : queued)
}

/** Selects pages of a check. */
export interface PageRange {
  readonly limit: number
  readonly skip: number
  readonly status?: PageStatus | undefined
  /** Selects pages among those in the range. `limit` counts the selected ones, `skip` all of them. */
  isWanted?(page: CheckedPage): boolean
}

/**
 * Returns pages of a check. Segments outside the range are not read. `skip` counts pages of the wanted status, before
 * `isWanted`. Empty beyond the last page. Rejects if the store fails.
 */
export async function pagesOf(
  { segments }: CheckRecord,
  { limit, skip, status, isWanted = () => true }: PageRange,
  { checks }: Pick<MonitorKit, 'checks'>,
): Promise<readonly CheckedPage[]> {
  const found: CheckedPage[] = []
  let left = skip
  for (const { key, counts } of segments) {
    if (found.length >= limit) break
    const count = status === undefined ? Object.values(counts).reduce((sum, one) => sum + one, 0) : counts[status]
    if (count <= left) left -= count
    else {
      const pages = (await checks.pages(key)).filter((page) => status === undefined || page.status === status)
      found.push(...pages.slice(left).filter(isWanted))
      left = 0
    }
  }
  return found.slice(0, limit)
}

interface Portions<T> {
  readonly offset: number
  readonly limit: number
  readonly read: (limit: number, after?: string) => Promise<readonly T[]>
  readonly idOf: (one: T) => string
  readonly isWanted?: (one: T) => boolean
}

const portion = 200

/** Reads a list in batches by cursor, and returns the items at an offset. */
async function afterOffset<T>({
  offset,
  limit,
  read,
  idOf,
  isWanted = () => true,
}: Portions<T>): Promise<readonly T[]> {
  const found: T[] = []
  let after: string | undefined
  while (found.length < offset + limit) {
    const some = await read(portion, after)
    found.push(...some.filter(isWanted))
    const last = some.at(-1)
    if (some.length < portion || last === undefined) break
    after = idOf(last)
  }
  return found.slice(offset, offset + limit)
}
