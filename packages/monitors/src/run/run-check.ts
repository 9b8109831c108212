// Runs a check to its end. Any engine can resume it at any point.
import { randomUUID } from 'node:crypto'

import { EngineError } from '@harvestman/ports'

import type { MonitorKit } from '../kit.ts'
import { summaryOf, type CheckRecord } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { CheckStatus } from '../requests/monitor.ts'
import { isPermanentFailure, LeftCheck, messageOf } from './fault.ts'
import { takeTarget, type TargetEnd } from './targets.ts'
import { takeCheck, type CheckWriter } from './writer.ts'

/** Returns the month of a time in UTC, such as `2026-11`. `at` is in milliseconds since 1970. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}

/**
 * Returns the credits that checks of a monitor have cost in the month of `at`, which is in milliseconds since 1970; 0
 * if none have.
 */
export function spentIn({ spent }: Pick<MonitorRecord, 'spent'>, at: number): number {
  return spent.month === monthOf(at) ? spent.credits : 0
}

/**
 * Runs an open check of a monitor and returns it once it has ended; `undefined` if the monitor was deleted. Rejects if it
 * should be retried. With `isLast`, the check fails instead.
 */
export async function runCheck(
  id: string,
  check: string,
  kit: MonitorKit,
  isLast = false,
): Promise<CheckRecord | undefined> {
  const record = await kit.monitors.get(id)
  if (record?.current?.id !== check) return kit.checks.get(id, check)
  const writer = await takeCheck(record, randomUUID(), kit)
  try {
    if (writer) await carryOut(record, writer, kit, isLast)
  } catch (error) {
    if (error instanceof LeftCheck && !(await kit.monitors.get(id))) return undefined
    throw error
  }
  return endOf(record, kit)
}

async function carryOut(record: MonitorRecord, writer: CheckWriter, kit: MonitorKit, isLast: boolean): Promise<void> {
  try {
    await end(writer, record, await takeAll(record, writer, kit), kit)
  } catch (error) {
    if (kit.signal.aborted || error instanceof LeftCheck || !(isLast || isPermanentFailure(error))) throw error
    const isPoor = EngineError.is(error) && error.code === 'insufficient_credits'
    await end(
      writer,
      record,
      { status: isPoor ? 'skipped_no_credits' : 'failed', error: messageOf(error), credits: 0, results: [] },
      kit,
    )
  }
}

interface CheckEnd {
  readonly status: CheckStatus
  readonly error: string | null
  readonly credits: number
  readonly results: readonly TargetEnd['told'][]
}

async function takeAll(record: MonitorRecord, writer: CheckWriter, kit: MonitorKit): Promise<CheckEnd> {
  const work = { record, writer, kit }
  const { maxCreditsPerMonth: most } = record
  const ends: TargetEnd[] = []
  if (most === null)
    ends.push(...(await Promise.all(record.targets.map((target) => takeTarget(target, undefined, work)))))
  else {
    let left = most - spentIn(record, writer.check.startedAt ?? kit.clock.now())
    if (left <= 0)
      return { status: 'skipped_no_credits', error: 'The credits of this month are used up.', credits: 0, results: [] }
    for (const target of record.targets) {
      if (left <= 0) break
      const ended = await takeTarget(target, left, work)
      left -= ended.credits
      ends.push(ended)
    }
  }
  const faults = ends.flatMap(({ fault = [] }) => fault)
  const credits = ends.reduce((sum, one) => sum + one.credits, 0)
  const status = faults.length > 0 ? 'failed' : summaryOf(writer.check).error > 0 ? 'partial' : 'completed'
  return { status, error: faults[0] ?? null, credits, results: ends.map(({ told }) => told) }
}

async function end(
  writer: CheckWriter,
  record: MonitorRecord,
  { status, error, credits, results }: CheckEnd,
  kit: MonitorKit,
): Promise<void> {
  await writer.checkPages()
  await writer.change({ status, error, actualCredits: credits, targetResults: results, finishedAt: kit.clock.now() })
}

/** Applies the result of a check to its monitor. Takes effect once, even if several engines call it. */
async function endOf({ id, current }: MonitorRecord, kit: MonitorKit): Promise<CheckRecord | undefined> {
  const check = current ? await kit.checks.get(id, current.id) : undefined
  if (!check || !current) return undefined
  const startedAt = check.startedAt ?? check.createdAt
  await kit.monitors.update(id, (record) => {
    if (record.current?.id !== check.id) return undefined
    const spent = spentIn(record, startedAt) + (check.actualCredits ?? 0)
    const hasRun = check.status !== 'skipped_no_credits'
    return {
      ...record,
      ...{
        current: null,
        checks: record.checks + (hasRun ? 1 : 0),
        spent: { month: monthOf(startedAt), credits: spent },
      },
      ...(hasRun && { lastRunAt: startedAt, lastCheckSummary: summaryOf(check) }),
    }
  })
  return check
}
