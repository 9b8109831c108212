// Creates, updates, runs and deletes monitors.
import { randomBytes } from 'node:crypto'

import type { FeatureCall } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { uuidv7 } from '@harvestman/toolbox/uuid'
import { checkReceiver } from '@harvestman/webhooks'
import type { z } from 'zod'

import { estimateOf } from '../check/estimate.ts'
import type { MonitorKit } from '../kit.ts'
import type { CheckRecord } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { changedMonitorSchema, newMonitorSchema } from '../requests/monitor.ts'
import type { Target } from '../requests/targets.ts'
import { nextTime, nextCheckTime } from '../run/begin.ts'
import type { CheckJobs } from '../run/jobs.ts'
import { repairIndexes } from '../run/scheduler.ts'
import { findCheck, findMonitor, monitorMissing, type OfTeam } from './find.ts'

/** Context of changes to monitors. */
export interface ChangeKit extends MonitorKit {
  readonly jobs: CheckJobs
  /** Asks new recipients of mails to confirm. */
  readonly invite: (record: MonitorRecord) => Promise<void>
  /** Starts the scheduler and wakes it. */
  readonly wake: () => void
}

/** The caller of a change. Checks later run with the rights of the team, so the scopes of this caller are checked now. */
export type Changer = OfTeam & Pick<FeatureCall, 'scopes'>

type Step = (record: MonitorRecord) => MonitorRecord

/**
 * Updates a record atomically. Index entries are added before the update, so that none is missing after a crash, and again
 * after it.
 */
async function change(id: string, call: OfTeam, step: Step, kit: ChangeKit): Promise<MonitorRecord> {
  const start = nextCheckTime(step(await findMonitor(id, call, kit)))
  if (start !== undefined) await kit.indexes.addDue({ monitor: id, at: start })
  const after = await kit.monitors.update(id, step)
  if (!after) throw monitorMissing()
  await repairIndexes(after, kit, kit.jobs)
  kit.wake()
  return after
}

/**
 * Creates a monitor. It stays paused until all index entries exist, so an incomplete one never runs. Rejects with `url_blocked`
 * for a receiver that may not be reached, `scope_missing` if the key may not use a target, and `invalid_request` for an option
 * that is not allowed.
 */
export async function createMonitor(
  input: z.output<typeof newMonitorSchema>,
  call: Changer,
  kit: ChangeKit,
): Promise<MonitorRecord> {
  const given = withoutLabels(input)
  const now = kit.clock.now()
  checkGoal(given.targets, given.goal, given.judgeEnabled ?? true)
  await checkReceivers(given, kit)
  const record: MonitorRecord = {
    ...given,
    ...{ id: uuidv7(now), team: call.team, status: 'paused' },
    judgeEnabled: given.judgeEnabled ?? given.goal !== null,
    ...{ scheduledSince: now, createdAt: now, updatedAt: now, nextRunAt: null, lastRunAt: null },
    ...{ current: null, lastCheckSummary: null, spent: { month: '', credits: 0 }, checks: 0, skipped: 0 },
    estimate: estimateOf(given, kit.engine, call),
    feed: randomBytes(24).toString('base64url'),
  }
  await kit.monitors.create(record)
  await kit.indexes.addFeed(record.feed, record.id)
  await kit.indexes.addToTeam(call.team, record.id)
  const step: Step = (old) => ({ ...old, status: 'active', nextRunAt: nextTime(old, now) })
  const created = await change(record.id, call, step, kit)
  await kit.invite(created)
  return created
}

/**
 * Updates a monitor. Absent properties keep their values. Rejects with `not_found` if the team has none with this id,
 * `url_blocked` for a receiver that may not be reached, `scope_missing` if the key may not use a target (pausing needs no
 * scope), and `invalid_request` for an option that is not allowed.
 */
export async function updateMonitor(
  id: string,
  input: z.output<typeof changedMonitorSchema>,
  call: Changer,
  kit: ChangeKit,
): Promise<MonitorRecord> {
  const { status, ...given } = withoutLabels(input)
  const before = await findMonitor(id, call, kit)
  await checkReceivers(given, kit)
  const now = kit.clock.now()
  const step: Step = (old) => {
    const merged: MonitorRecord = { ...old, ...present(given), status: status ?? old.status, updatedAt: now }
    const isReset = given.schedule !== undefined || (status === 'active' && old.status === 'paused')
    const set = given.schedule === undefined ? merged : { ...merged, scheduledSince: now }
    return isReset ? { ...set, nextRunAt: nextTime(set, now) } : set
  }
  const after = step(before)
  checkGoal(after.targets, after.goal, after.judgeEnabled)
  // Pausing needs no scopes.
  const asks = status !== 'paused' || Object.keys(present(given)).length > 0
  const estimate = estimateOf(after, kit.engine, asks ? call : {})
  const changed = await change(id, call, (old) => ({ ...step(old), estimate }), kit)
  if (given.notification) await kit.invite(changed)
  return changed
}

/**
 * Starts a check of a monitor. Resolves to its record without waiting for its end. Rejects with `conflict` if the monitor is
 * paused or a check is running, `not_found` if the team has no such monitor, and `scope_missing` if the key may not use a
 * target.
 */
export async function runMonitor(id: string, call: Changer, kit: ChangeKit): Promise<CheckRecord> {
  const before = await findMonitor(id, call, kit)
  if (before.status === 'paused') throw new EngineError('conflict', 'The monitor is paused. Resume it first.')
  estimateOf(before, kit.engine, call)
  const now = kit.clock.now()
  const own = { id: uuidv7(now), trigger: 'manual', scheduledFor: null, createdAt: now, missed: 0 } as const
  const after = await kit.monitors.update(id, (old) => (old.current ? undefined : { ...old, current: own }))
  if (!after) throw monitorMissing()
  if (after.current?.id !== own.id) {
    const details = { checkId: after.current?.id }
    throw new EngineError('conflict', 'A check of this monitor is running. Wait for its end.', { details })
  }
  await repairIndexes(after, kit, kit.jobs)
  kit.wake()
  return findCheck(id, own.id, call, kit)
}

const portion = 100

/**
 * Deletes a monitor and its checks. An engine that runs a check of it stops when it finds the monitor deleted. Rejects with
 * `not_found` if the team has none with this id.
 */
export async function deleteMonitor(id: string, call: OfTeam, kit: MonitorKit): Promise<void> {
  const { indexes, checks, recipients } = kit
  const record = await findMonitor(id, call, kit)
  const start = nextCheckTime(record)
  await indexes.removeFromTeam(call.team, id)
  await indexes.removeFeed(record.feed)
  await kit.monitors.delete(id)
  if (start !== undefined) await indexes.removeDue({ monitor: id, at: start })
  await recipients.deleteOf(id)
  for (;;) {
    const some = await checks.since(id, portion)
    for (const one of some) await checks.delete(one)
    if (some.length < portion) return
  }
}

/** Removes the labels that clients of the public API send with each request. */
function withoutLabels<Given extends { readonly origin?: unknown; readonly integration?: unknown }>(given: Given) {
  const { origin: _origin, integration: _integration, ...rest } = given
  return rest
}

type Present<Given> = Partial<{ [Name in keyof Given]: Exclude<Given[Name], undefined> }>

function present<Given extends object>(given: Given): Present<Given> {
  // Cast: the same fields, without absent ones.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<Given>
}

function checkGoal(targets: readonly Target[], goal: string | null, isJudged: boolean): void {
  if (!targets.some(({ type }) => type === 'search') || goal !== null || !isJudged) return
  throw new EngineError('invalid_request', 'A target that is a search needs a goal, or judgeEnabled: false.')
}

interface Addressed {
  readonly webhook?: { readonly url: string } | null | undefined
  readonly notification?: { readonly slack?: { readonly url?: string | undefined } | undefined } | null | undefined
}

/** Checks the receiver URLs now. They are checked again on each delivery. */
async function checkReceivers({ webhook, notification }: Addressed, { guard }: MonitorKit): Promise<void> {
  for (const url of [webhook?.url, notification?.slack?.url]) if (url !== undefined) await checkReceiver(url, guard)
}
