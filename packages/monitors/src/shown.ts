// Converts stored monitors and checks to API results.
import { feedForms } from './feed.ts'
import type { Subscription } from './notify/subscriptions.ts'
import { emptySummary, summaryOf, type CheckRecord } from './records/check.ts'
import type { MonitorRecord } from './records/monitor.ts'
import type { Check, Monitor } from './results.ts'
import { withCheckedTime } from './run/begin.ts'
import { spentIn } from './run/run-check.ts'
import { monthlyRuns } from './schedule/monthly-runs.ts'

/** Parts of the result that depend on the caller and the engine. */
export interface ShownBy {
  readonly now: number
  /** Public URL of the API. Without it, URLs are returned as paths. */
  readonly apiUrl: string | undefined
  /** The recipients of mails. Absent in lists. */
  readonly subscriptions?: readonly Subscription[]
}

/** Converts a record to the monitor that endpoints return. */
export function showMonitor(record: MonitorRecord, { now, apiUrl = '', subscriptions }: ShownBy): Monitor {
  const { id, name, status, schedule, targets, webhook, notification, retentionDays, goal, judgeEnabled, change } =
    record
  const [rss, atom, json] = feedForms.map((form) => `${apiUrl}/v2/monitor/feed/${record.feed}/${form}`)
  return {
    ...{ id, name, status, schedule, targets, webhook, notification, retentionDays, goal, judgeEnabled, change },
    ...(subscriptions && { emailRecipientSubscriptions: subscriptions }),
    nextRunAt: status === 'active' ? timeOrNull(withCheckedTime(record, now).nextRunAt) : null,
    lastRunAt: timeOrNull(record.lastRunAt),
    currentCheckId: record.current?.id ?? null,
    estimatedCreditsPerMonth: record.estimate * monthlyRuns(schedule),
    lastCheckSummary: record.lastCheckSummary,
    maxCreditsPerMonth: record.maxCreditsPerMonth,
    creditsThisMonth: spentIn(record, now),
    skippedRuns: record.skipped,
    feeds: { rss: rss ?? '', atom: atom ?? '', json: json ?? '' },
    createdAt: time(record.createdAt),
    updatedAt: time(record.updatedAt),
  }
}

/** Converts a record to the check that endpoints return. */
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
