// How monitors and checks look from outside. Names are those of the public API.
import { emptySummary, summaryOf, type CheckedPage, type CheckRecord, type Summary } from './records/check.ts'
import type { MonitorRecord } from './records/monitor.ts'
import type { ChangeRules } from './requests/change.ts'
import type { CheckStatus } from './requests/monitor.ts'
import type { MonitorWebhook, Notification } from './requests/notification.ts'
import type { Target } from './requests/targets.ts'
import { withCheckedTime } from './run/begin.ts'
import { spentIn } from './run/run-check.ts'
import { timesOf, type Schedule } from './schedule/schedule.ts'

/** A monitor. */
export interface Monitor {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'paused'
  readonly schedule: Schedule
  readonly nextRunAt: string | null
  readonly lastRunAt: string | null
  readonly currentCheckId: string | null
  readonly targets: readonly Target[]
  readonly webhook: MonitorWebhook | null
  readonly notification: Notification | null
  readonly retentionDays: number
  readonly estimatedCreditsPerMonth: number
  readonly lastCheckSummary: Summary | null
  readonly goal: string | null
  readonly judgeEnabled: boolean
  readonly change: ChangeRules
  readonly maxCreditsPerMonth: number | null
  readonly creditsThisMonth: number
  /** Times of its schedule that passed without a check: because one ran, or nothing did. */
  readonly skippedRuns: number
  /** The secret in the address of its feed. Who has it reads the feed. */
  readonly feed: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** How a check of a monitor stands. */
export interface Check {
  readonly id: string
  readonly monitorId: string
  readonly status: CheckStatus
  readonly trigger: 'scheduled' | 'manual'
  readonly scheduledFor: string | null
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly estimatedCredits: number | null
  readonly reservedCredits: null
  readonly actualCredits: number | null
  readonly billingStatus: 'not_applicable' | 'reserved' | 'confirmed'
  readonly summary: Summary
  readonly targetResults: CheckRecord['targetResults']
  readonly notificationStatus: CheckRecord['notificationStatus']
  readonly error: string | null
  /** Times of the schedule that it made up for. */
  readonly missedRuns: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A check with some of its pages. */
export interface CheckWithPages extends Check {
  /** In the order in which they were looked at. */
  readonly pages: readonly CheckedPage[]
  /** How many to skip to read on; absent at the end. */
  readonly next?: number
}

const month = 30 * 86_400_000

export function showMonitor(record: MonitorRecord, now: number): Monitor {
  const { id, name, status, schedule, targets, webhook, notification, retentionDays, goal, judgeEnabled, change } =
    record
  const gap = timesOf(schedule, record.scheduledSince).gap(now)
  return {
    ...{ id, name, status, schedule, targets, webhook, notification, retentionDays, goal, judgeEnabled, change },
    nextRunAt: status === 'active' ? timeOrNull(withCheckedTime(record, now).nextRunAt) : null,
    lastRunAt: timeOrNull(record.lastRunAt),
    currentCheckId: record.current?.id ?? null,
    estimatedCreditsPerMonth: record.estimate * Math.ceil(month / gap),
    lastCheckSummary: record.lastCheckSummary,
    maxCreditsPerMonth: record.maxCreditsPerMonth,
    creditsThisMonth: spentIn(record, now),
    skippedRuns: record.skipped,
    feed: record.feed,
    createdAt: time(record.createdAt),
    updatedAt: time(record.updatedAt),
  }
}

export function showCheck(check: CheckRecord): Check {
  const { id, monitorId, status, trigger, error, estimatedCredits, actualCredits, targetResults, notificationStatus } =
    check
  const isSkipped = status === 'skipped_overlap' || status === 'skipped_no_credits'
  return {
    ...{ id, monitorId, status, trigger, error, estimatedCredits, actualCredits, targetResults, notificationStatus },
    scheduledFor: timeOrNull(check.scheduledFor),
    startedAt: timeOrNull(check.startedAt),
    finishedAt: timeOrNull(check.finishedAt),
    reservedCredits: null,
    billingStatus: isSkipped ? 'not_applicable' : actualCredits === null ? 'reserved' : 'confirmed',
    summary: check.segments.length === 0 ? emptySummary : summaryOf(check),
    missedRuns: check.missed,
    createdAt: time(check.createdAt),
    updatedAt: time(check.updatedAt),
  }
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}
