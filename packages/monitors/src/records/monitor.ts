// The record of a monitor: what it is asked for, and how its checks stand. Whatever happens to it is one step on this record.
import type { Store } from '@harvestman/ports'
import { getMany, layout } from '@harvestman/core/plugin'

import { monitorKeys } from '../keys.ts'
import type { ChangeRules } from '../requests/change.ts'
import type { MonitorWebhook, Notification } from '../requests/notification.ts'
import type { Target } from '../requests/targets.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Summary } from './check.ts'

/** A check that was begun and is not over. */
export interface Current {
  readonly id: string
  readonly trigger: 'scheduled' | 'manual'
  /** The time of the schedule that it is for. */
  readonly scheduledFor: number | null
  readonly createdAt: number
  /** Times of the schedule that passed meanwhile, and that it makes up for. */
  readonly missed: number
}

export interface MonitorRecord {
  readonly id: string
  readonly team: string
  readonly name: string
  readonly status: 'active' | 'paused'
  readonly schedule: Schedule
  /** When the schedule was set: intervals are counted from there. */
  readonly scheduledSince: number
  readonly targets: readonly Target[]
  readonly webhook: MonitorWebhook | null
  readonly notification: Notification | null
  readonly retentionDays: number
  readonly goal: string | null
  readonly judgeEnabled: boolean
  readonly change: ChangeRules
  readonly maxCreditsPerMonth: number | null
  /** Expected credits of a check. */
  readonly estimate: number
  /** The secret in the address of its feed. */
  readonly feed: string
  readonly createdAt: number
  readonly updatedAt: number
  /** The next time of its schedule that has no check yet. */
  readonly nextRunAt: number | null
  readonly lastRunAt: number | null
  readonly current: Current | null
  readonly lastCheckSummary: Summary | null
  /** What its checks have cost in a month. */
  readonly spent: { readonly month: string; readonly credits: number }
  /** Checks that are over. */
  readonly checks: number
  /** Times of its schedule that passed without a check. */
  readonly skipped: number
}

const records = layout<MonitorRecord>(1, { id: 'text', team: 'text', targets: 'list', schedule: 'record' })
const what = 'A monitor'

/** The records of monitors. */
export interface MonitorRecords {
  get(id: string): Promise<MonitorRecord | undefined>
  /** In the order of the ids. */
  getMany(ids: readonly string[]): Promise<readonly (MonitorRecord | undefined)[]>
  create(record: MonitorRecord): Promise<void>
  /** One step on a record: `change` gives what it is then, or nothing to leave it. Resolves to what it is afterwards. */
  update(id: string, change: (record: MonitorRecord) => MonitorRecord | undefined): Promise<MonitorRecord | undefined>
  delete(id: string): Promise<void>
}

export function monitorRecords(store: Store): MonitorRecords {
  return {
    get: async (id) => records.open(what, await store.get(monitorKeys.monitor(id))),
    getMany: async (ids) =>
      (await getMany(store, ids.map(monitorKeys.monitor))).map((kept) => records.open(what, kept)),
    create: (record) => store.set(monitorKeys.monitor(record.id), records.seal(record)),
    update: async (id, change) => {
      const kept = await store.update(monitorKeys.monitor(id), (old) => {
        const record = records.open(what, old)
        const changed = record && change(record)
        return changed ? records.seal(changed) : old
      })
      return records.open(what, kept)
    },
    delete: (id) => store.delete(monitorKeys.monitor(id)),
  }
}
