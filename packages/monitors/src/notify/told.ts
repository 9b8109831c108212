// What is told of a check that is over: which pages are worth a message, and in which words.
import type { CheckedPage, CheckRecord } from '../records/check.ts'
import { summaryOf } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { MonitorKit } from '../kit.ts'
import { pagesOf } from '../service/read.ts'

/** What a message says beside the monitor and the check. */
export interface Told {
  readonly record: MonitorRecord
  readonly check: CheckRecord
  /** Pages that changed, came or went, and matter as far as that was judged; the first of them. */
  readonly pages: readonly CheckedPage[]
}

const mostPages = 50
const told = ['changed', 'new', 'removed', 'error'] as const

/** The pages of a check that are worth a message. To the first check of a monitor everything is new, and nothing is news. */
export async function newsOf(check: CheckRecord, kit: Pick<MonitorKit, 'checks'>): Promise<readonly CheckedPage[]> {
  const found: CheckedPage[] = []
  for (const status of told) {
    if (check.isFirst && status === 'new') continue
    const pages = await pagesOf(check, { status, skip: 0, limit: mostPages }, kit)
    found.push(...pages.filter(({ judgment }) => judgment?.meaningful !== false))
  }
  return found.slice(0, mostPages)
}

/** One line on a check: `Prices: 2 changed, 1 new`. */
export function titleOf({ record, check }: Pick<Told, 'record' | 'check'>): string {
  const summary = summaryOf(check)
  const parts = told.flatMap((status) => (summary[status] > 0 ? [`${summary[status]} ${words[status]}`] : []))
  return `${record.name}: ${parts.length > 0 ? parts.join(', ') : 'nothing has changed'}`
}

const words = { changed: 'changed', new: 'new', removed: 'removed', error: 'could not be read' } as const

/** A page in a line: `changed  https://…  why`. */
export function lineOf({ status, url, error, judgment }: CheckedPage): string {
  const why = judgment?.reason ?? error
  return `${words[status === 'same' ? 'changed' : status]}: ${url}${why ? ` (${why})` : ''}`
}
