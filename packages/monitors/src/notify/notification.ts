// Selects the pages of an ended check that notifications mention, and formats them.
import type { CheckedPage, CheckRecord } from '../records/check.ts'
import { summaryOf } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { MonitorKit } from '../kit.ts'
import { pagesOf } from '../service/read.ts'

/** The data of a notification. */
export interface Notification {
  readonly record: MonitorRecord
  readonly check: CheckRecord
  /** The first changed, new, removed and failed pages, except changes judged as not meaningful. */
  readonly pages: readonly CheckedPage[]
}

const maxPages = 50
const notifiedStatuses = ['changed', 'new', 'removed', 'error'] as const

/**
 * Returns at most 50 pages to notify about: changed, new, removed and failed ones, in this order. In the first check all pages
 * are new, so new pages are skipped there; so are changes judged as not meaningful. Rejects if the store fails.
 */
export async function notifiedPages(
  check: CheckRecord,
  kit: Pick<MonitorKit, 'checks'>,
): Promise<readonly CheckedPage[]> {
  const found: CheckedPage[] = []
  for (const status of notifiedStatuses) {
    if (check.isFirst && status === 'new') continue
    const isMeaningful = ({ judgment }: CheckedPage): boolean => judgment?.meaningful !== false
    found.push(
      ...(await pagesOf(check, { status, skip: 0, limit: maxPages - found.length, isWanted: isMeaningful }, kit)),
    )
  }
  return found
}

/** Returns the title of a notification: `Prices: 2 changed, 1 new`, or `Prices: nothing has changed`. */
export function notificationTitle({ record, check }: Pick<Notification, 'record' | 'check'>): string {
  const summary = summaryOf(check)
  const parts = notifiedStatuses.flatMap((status) =>
    summary[status] > 0 ? [`${summary[status]} ${words[status]}`] : [],
  )
  return `${record.name}: ${parts.length > 0 ? parts.join(', ') : 'nothing has changed'}`
}

const words = { changed: 'changed', new: 'new', removed: 'removed', error: 'could not be read' } as const

/** Returns a line about a page: `changed: https://… (why)`. Without a reason or an error it ends with the URL. */
export function notificationLine({ status, url, error, judgment }: CheckedPage): string {
  const why = judgment?.reason ?? error
  return `${words[status === 'same' ? 'changed' : status]}: ${url}${why ? ` (${why})` : ''}`
}
