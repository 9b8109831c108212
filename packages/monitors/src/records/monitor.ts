// The record of a monitor: its settings and the state of its checks. Every state change is one atomic update of this record.
import type { Store } from '@harvestman/ports'
import { getMany, layout } from '@harvestman/core/plugin'

import { monitorKeys } from '../keys.ts'
import type { ChangeRules } from '../requests/change.ts'
import type { MonitorWebhook, Notification } from '../requests/notification.ts'
import type { Target } from '../requests/targets.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Summary } from './check.ts'

/** The check that is queued or running. */
export interface Current {
  readonly id: string
  readonly trigger: 'scheduled' | 'manual'
  /** The scheduled time it is for. */
  readonly scheduledFor: number | null
  readonly createdAt: number
  /** Number of missed scheduled times that it makes up for. */
  readonly missed: number
}

export interface MonitorRecord {
  readonly id: string
  readonly team: string
  readonly name: string
  readonly status: 'active' | 'paused'
  readonly schedule: Schedule
  /** When the schedule was set. Intervals are counted from here. */
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
  /** The secret in its feed URLs. */
  readonly feed: string
  readonly createdAt: number
  readonly updatedAt: number
  /** The next scheduled time without a check. */
  readonly nextRunAt: number | null
  readonly lastRunAt: number | null
  readonly current: Current | null
  readonly lastCheckSummary: Summary | null
  /** Credits that its checks have cost in a month. */
  readonly spent: { readonly month: string; readonly credits: number }
  /** Number of ended checks, except checks skipped for lack of credits. */
  readonly checks: number
  /** Number of scheduled times without a check of their own. */
  readonly skipped: number
}

const records = layout<MonitorRecord>(1, { id: 'text', team: 'text', targets: 'list', schedule: 'record' })
const what = 'A monitor'

/** The stored monitors. */
export interface MonitorRecords {
  get(id: string): Promise<MonitorRecord | undefined>
  /** Returns the records in the order of the ids. */
  getMany(ids: readonly string[]): Promise<readonly (MonitorRecord | undefined)[]>
  create(record: MonitorRecord): Promise<void>
  /**
   * Updates a record atomically. If `change` returns `undefined`, the record is left unchanged. Resolves to the stored record.
   */
  update(id: string, change: (record: MonitorRecord) => MonitorRecord | undefined): Promise<MonitorRecord | undefined>
  delete(id: string): Promise<void>
}

/**
 * Opens the stored monitors. `get` and `update` resolve to `undefined` if the monitor does not exist. Calls reject with
 * `store_failed` if the store fails or a record is damaged, and with `newer_version` if a newer version wrote it.
 */
export function monitorRecords(store: Store): MonitorRecords {
  return {
    get: async (id) => records.open(what, await store.get(monitorKeys.monitor(id))),
    getMany: async (ids) =>
      (await getMany(store, ids.map(monitorKeys.monitor))).map((kept) => records.open(what, kept)),
    create: (record) => store.set(monitorKeys.monitor(record.id), records.seal(record)),
    update: async (id, change) => {
      const written = await store.update(monitorKeys.monitor(id), (old) => {
        const record = records.open(what, old)
        const changed = record && change(record)
        return changed ? records.seal(changed) : old
      })
      return records.open(what, written)
    },
    delete: (id) => store.delete(monitorKeys.monitor(id)),
  }
}
