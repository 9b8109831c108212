import type { Monitor, MonitorCheck, MonitorSummary } from '@harvestman/client'

import { counted } from './format.ts'

const namedCrons: Readonly<Record<string, string>> = {
  '*/15 * * * *': 'every 15 minutes',
  '0 * * * *': 'every hour',
  '0 */6 * * *': 'every 6 hours',
  '0 0 * * *': 'every day',
  '0 0 * * 0': 'every week',
  '0 0 * * 1': 'every week',
}

/** Describes the targets and the schedule of a monitor, such as `https://example.com/ and 2 more · every 5 min`. */
export function aboutOf({ targets, schedule: { cron, every } }: Monitor): string {
  const all = targets.flatMap((target) =>
    target.type === 'scrape' ? target.urls : target.type === 'crawl' ? [target.url] : target.queries,
  )
  const what = all.length > 1 ? `${all[0] ?? ''} and ${all.length - 1} more` : (all[0] ?? '')
  const often = every === undefined ? cron && (namedCrons[cron] ?? `cron ${cron}`) : `every ${lengthInWords(every)}`
  return [what, often].filter(Boolean).join(' · ')
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function lengthInWords(ms: number): string {
  const [unit, length] = units.find(([, one]) => ms % one === 0) ?? (['second', 1_000] as const)
  return counted(Math.round(ms / length), unit)
}

/** Returns whether a check is still running. */
export function isOpen({ status }: Pick<MonitorCheck, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** Summarizes a check in a few words. The first check of a page counts as new, not as changed. */
export function summaryInWords({ totalPages, changed, removed, error, new: first }: MonitorSummary): string {
  const parts = [
    [changed, 'changed'],
    [removed, 'gone'],
    [first, 'new'],
    [error, 'failed'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return told.length > 0 ? told.join(', ') : `no change on ${totalPages} ${totalPages === 1 ? 'page' : 'pages'}`
}
