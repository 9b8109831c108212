// Writes the progress of a check. Each write contains the run id, and is rejected if another engine has taken over.
import { EngineError } from '@harvestman/core'
import type { KeepOptions } from '@harvestman/ports'
import { makeSequence } from '@harvestman/toolbox/sequence'

import type { CheckedPage, CheckRecord, SegmentRef } from '../records/check.ts'
import { isOver } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { MonitorKit } from '../kit.ts'
import { LeftCheck } from './fault.ts'

/** The status of a page that was written. */
export type WrittenPage = Pick<CheckedPage, 'status' | 'targetId' | 'url'>

/** Writes to the check that this engine runs. */
export interface CheckWriter {
  readonly check: CheckRecord
  /** Returns the pages written so far, also by earlier runs. */
  written(target: string): ReadonlyMap<string, WrittenPage>
  /** Returns what judging the changes of a target has cost so far, also by earlier runs, in credits. */
  judged(target: string): number
  /** Adds pages of one target to the check. `judged` is what judging their changes cost, in credits. */
  add(pages: readonly CheckedPage[], judged?: number): Promise<void>
  change(changed: Partial<CheckRecord>): Promise<void>
  /** Rejects if the store has lost pages, so that the check is retried. */
  checkPages(): Promise<void>
}

const day = 86_400_000
const maxSegment = { pages: 50, characters: 1_000_000 }

/** Returns the TTL of data of checks, in milliseconds, from the retention days of the monitor. */
export function retentionTtl({ retentionDays }: Pick<MonitorRecord, 'retentionDays'>): KeepOptions {
  return { ttl: retentionDays * day }
}

/**
 * Takes over the open check of a monitor, whether new or left by another engine. Returns `undefined` if it has ended or none
 * is open. Rejects if the store fails.
 */
export async function takeCheck(record: MonitorRecord, run: string, kit: MonitorKit): Promise<CheckWriter | undefined> {
  const { current, id: monitor } = record
  if (!current) return undefined
  const { checks, clock } = kit
  const keep = retentionTtl(record)
  const now = clock.now()
  const taken = await checks.update(monitor, current.id, keep, (old) => {
    if (old && isOver(old)) return undefined
    return {
      ...(old ?? fresh(record, current)),
      run,
      status: 'running',
      startedAt: old?.startedAt ?? now,
      updatedAt: now,
    }
  })
  if (!taken || isOver(taken)) return undefined
  const pages = await Promise.all(taken.segments.map(({ key }) => checks.pages(key)))
  const segments = taken.segments.filter((_, index) => pages[index]?.length !== 0)
  const judged = taken.segments.map(({ judged = 0 }, index) => [pages[index]?.[0]?.targetId ?? '', judged] as const)
  const writer = makeWriter(taken, { pages: pages.flat(), judged }, keep, kit)
  // A store that was restored from a backup may lack segments. Their pages are compared again.
  if (segments.length < taken.segments.length) await writer.change({ segments })
  return writer
}

function fresh(
  { id, team, checks, estimate }: MonitorRecord,
  current: NonNullable<MonitorRecord['current']>,
): CheckRecord {
  return {
    ...current,
    ...{
      monitorId: id,
      team,
      status: 'queued',
      startedAt: null,
      finishedAt: null,
      updatedAt: current.createdAt,
      run: '',
    },
    ...{ isFirst: checks === 0, estimatedCredits: estimate, actualCredits: null },
    ...{ segments: [], targetResults: [], notificationStatus: null, error: null },
  }
}

/** Returns the open check in its initial state, before any engine has started it. `undefined` if no check is open. */
export function queuedCheck(record: MonitorRecord): CheckRecord | undefined {
  return record.current ? fresh(record, record.current) : undefined
}

function makeWriter(
  taken: CheckRecord,
  earlier: { readonly pages: readonly WrittenPage[]; readonly judged: readonly (readonly [string, number])[] },
  keep: KeepOptions,
  { checks, clock }: MonitorKit,
): CheckWriter {
  const known = new Map<string, Map<string, WrittenPage>>()
  const note = (page: WrittenPage): void => {
    const ofTarget = known.get(page.targetId) ?? new Map<string, WrittenPage>()
    known.set(page.targetId, ofTarget.set(page.url, { status: page.status, targetId: page.targetId, url: page.url }))
  }
  for (const page of earlier.pages) note(page)
  const judgedBy = new Map<string, number>()
  const noteJudged = (target: string, credits: number): void =>
    void judgedBy.set(target, (judgedBy.get(target) ?? 0) + credits)
  for (const [target, credits] of earlier.judged) noteJudged(target, credits)
  let check = taken
  // Writes are sequential, because each contains the full list of segments.
  const steps = makeSequence()
  /**
   * Returns whether the stored check is the last one written here and has not ended. After a backup was restored, it is older.
   */
  const isLast = (old: CheckRecord | undefined): old is CheckRecord =>
    old?.run === taken.run && old.steps === check.steps && !isOver(old)
  const step = async (changed: Partial<CheckRecord>): Promise<void> => {
    const next = await checks.update(check.monitorId, check.id, keep, (old) =>
      isLast(old) ? { ...old, ...changed, updatedAt: clock.now(), steps: (check.steps ?? 0) + 1 } : undefined,
    )
    if (next?.run !== taken.run || next.steps !== (check.steps ?? 0) + 1)
      throw new LeftCheck('The check runs in another process.')
    check = next
  }
  return {
    get check() {
      return check
    },
    written: (target) => known.get(target) ?? new Map<string, WrittenPage>(),
    judged: (target) => judgedBy.get(target) ?? 0,
    change: (changed) => steps.run(() => step(changed)),
    checkPages: async () => {
      if (!(await checks.hasPages(check.segments.map(({ key }) => key))))
        throw new EngineError('store_failed', 'The store has lost pages of the check, which are compared again.')
    },
    add: (all, judged = 0) =>
      steps.run(async () => {
        let rest = judged
        for (const some of portions(all)) {
          const key = `${check.id}/${check.segments.length}-${taken.run}`
          await checks.keepPages(key, some, keep)
          const cost = rest > 0 ? { judged: rest } : {}
          await step({ segments: [...check.segments, { key, counts: countsOf(some), ...cost }] })
          for (const page of some) note(page)
          noteJudged(some[0]?.targetId ?? '', rest)
          rest = 0
        }
      }),
  }
}

function* portions(pages: readonly CheckedPage[]): Generator<readonly CheckedPage[]> {
  let some: CheckedPage[] = []
  let size = 0
  for (const page of pages) {
    const length = JSON.stringify(page).length
    if (some.length === maxSegment.pages || (some.length > 0 && size + length > maxSegment.characters)) {
      yield some
      some = []
      size = 0
    }
    some.push(page)
    size += length
  }
  if (some.length > 0) yield some
}

function countsOf(pages: readonly CheckedPage[]): SegmentRef['counts'] {
  const counts = { same: 0, new: 0, changed: 0, removed: 0, error: 0 }
  for (const { status } of pages) counts[status] += 1
  return counts
}
