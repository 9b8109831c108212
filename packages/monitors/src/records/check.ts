// Stored checks and their pages. Pages are written first, in segments, and count once the check record lists their segment.
import type { KeepOptions, Json, Store } from '@harvestman/ports'
import { areStored, layout } from '@harvestman/core/plugin'

import { monitorKeys } from '../keys.ts'
import type { CheckStatus, PageStatus } from '../requests/monitor.ts'

/** Number of pages by status. */
export interface Summary {
  readonly totalPages: number
  readonly same: number
  readonly changed: number
  readonly new: number
  readonly removed: number
  readonly error: number
}

export const emptySummary: Summary = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 }

/** The judgment of a language model on a change. */
export type Judgment = {
  readonly meaningful: boolean
  readonly confidence: 'high' | 'medium' | 'low'
  readonly reason: string
  readonly meaningfulChanges: readonly {
    readonly type: 'added' | 'removed' | 'changed'
    readonly before: string | null
    readonly after: string | null
    readonly reason: string
  }[]
}

/** The difference to the previous state: as a diff, and as lines or fields. */
export interface PageDiff {
  readonly text?: string
  readonly json?: Json
}

/** A page of a check. Property names follow the public API. */
export interface CheckedPage {
  readonly id: string
  readonly targetId: string
  readonly url: string
  readonly status: PageStatus
  readonly previousScrapeId: string | null
  readonly currentScrapeId: string | null
  readonly statusCode: number | null
  readonly error: string | null
  readonly metadata: { readonly [name: string]: Json } | null
  readonly diff: PageDiff | null
  readonly snapshot?: { readonly json: Json }
  readonly judgment: Judgment | null
  readonly createdAt: string
}

/** Pages of a check that are stored together. */
export interface SegmentRef {
  readonly key: string
  readonly counts: Readonly<Record<PageStatus, number>>
  /** What judging the changes of these pages cost, in credits. Absent if 0. */
  readonly judged?: number
}

/** A stored check. */
export interface CheckRecord {
  readonly id: string
  readonly monitorId: string
  readonly team: string
  readonly status: CheckStatus
  readonly trigger: 'scheduled' | 'manual'
  readonly scheduledFor: number | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly updatedAt: number
  readonly missed: number
  /** Id of the current run. Writes of any other run are rejected. */
  readonly run: string
  /** Number of writes; absent before the first. */
  readonly steps?: number
  /** Whether it is the first check of the monitor, in which all pages are new. */
  readonly isFirst: boolean
  readonly estimatedCredits: number | null
  readonly actualCredits: number | null
  readonly segments: readonly SegmentRef[]
  readonly targetResults: readonly { readonly [name: string]: Json }[]
  readonly notificationStatus: { readonly [channel: string]: Json } | null
  readonly error: string | null
}

const records = layout<CheckRecord>(1, { id: 'text', monitorId: 'text', segments: 'list' })
const segments = layout<{ readonly pages: readonly CheckedPage[] }>(1, { pages: 'list' })

const over: ReadonlySet<CheckStatus> = new Set([
  ...(['completed', 'failed', 'partial', 'skipped_overlap', 'skipped_no_credits'] as const),
])

/** Returns whether a check has ended. */
export function isOver({ status }: Pick<CheckRecord, 'status'>): boolean {
  return over.has(status)
}

/** Returns the numbers of pages of a check by status. */
export function summaryOf(check: Pick<CheckRecord, 'segments'>): Summary {
  const sum = { ...emptySummary }
  for (const { counts } of check.segments)
    for (const [status, count] of Object.entries(counts) as [PageStatus, number][]) {
      sum[status] += count
      sum.totalPages += count
    }
  return sum
}

/** The stored checks of monitors. */
export interface CheckRecords {
  get(monitor: string, id: string): Promise<CheckRecord | undefined>
  /** Updates a check atomically. If `change` returns `undefined`, the check is left unchanged. Resolves to the stored check. */
  update(
    monitor: string,
    id: string,
    keep: KeepOptions,
    change: (old: CheckRecord | undefined) => CheckRecord | undefined,
  ): Promise<CheckRecord | undefined>
  /** Newest first, older than the check `after`. */
  list(monitor: string, limit: number, after?: string): Promise<readonly CheckRecord[]>
  /** Oldest first, newer than the check `after`. */
  since(monitor: string, limit: number, after?: string): Promise<readonly CheckRecord[]>
  keepPages(key: string, pages: readonly CheckedPage[], keep: KeepOptions): Promise<void>
  pages(key: string): Promise<readonly CheckedPage[]>
  /** Whether the store has all these segments. */
  hasPages(keys: readonly string[]): Promise<boolean>
  delete(check: CheckRecord): Promise<void>
}

/**
 * Opens the stored checks and their pages. Missing checks are `undefined`, missing pages an empty list. Calls reject with
 * `store_failed` if the store fails or a record is damaged, and with `newer_version` if a newer version wrote it.
 */
export function checkRecords(store: Store): CheckRecords {
  const keyOf = (monitor: string, id: string): string => monitorKeys.check(`${monitor}/${id}`)
  const open = (kept: Parameters<typeof records.open>[1]): CheckRecord | undefined => records.open('A check', kept)
  const listed = async (monitor: string, limit: number, isReverse: boolean, after?: string) => {
    const behind = after === undefined ? {} : { after: keyOf(monitor, after) }
    const entries = await store.list(keyOf(monitor, ''), { limit, isReverse, ...behind })
    return entries.flatMap(({ value }) => open(value) ?? [])
  }
  return {
    get: async (monitor, id) => open(await store.get(keyOf(monitor, id))),
    update: async (monitor, id, keep, change) => {
      const isWritten = await store.update(
        keyOf(monitor, id),
        (old) => {
          const changed = change(open(old))
          return changed ? records.seal(changed) : old
        },
        keep,
      )
      return open(isWritten)
    },
    list: (monitor, limit, after) => listed(monitor, limit, true, after),
    since: (monitor, limit, after) => listed(monitor, limit, false, after),
    keepPages: (key, pages, keep) => store.set(monitorKeys.pages(key), segments.seal({ pages }), keep),
    pages: async (key) => segments.open('Pages of a check', await store.get(monitorKeys.pages(key)))?.pages ?? [],
    hasPages: async (keys) =>
      (
        await areStored(
          store,
          keys.map((key) => monitorKeys.pages(key)),
        )
      ).every(Boolean),
    delete: async ({ monitorId, id, segments: refs }) => {
      for (const { key } of refs) await store.delete(monitorKeys.pages(key))
      await store.delete(keyOf(monitorId, id))
    },
  }
}
