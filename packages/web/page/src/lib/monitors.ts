import type { CheckedPage, Monitor, MonitorCheck, MonitorCheckPages, MonitorSummary } from '@harvestman/client'

import { call } from './api.ts'
import { counted } from './format.ts'

export type { CheckedPage, Monitor }

/** A check of a monitor. */
export type Check = MonitorCheck

/** A check with its first pages. */
export type ReadCheck = MonitorCheckPages

const at = (id: string): string => `v2/monitor/${encodeURIComponent(id)}`

export async function listMonitors(signal: AbortSignal): Promise<readonly Monitor[]> {
  return (await call<{ data: readonly Monitor[] }>('v2/monitor?limit=100', { signal })).data
}

export async function createMonitor(name: string, urls: readonly string[], text: string): Promise<Monitor> {
  const body = { name, schedule: { text }, targets: [{ type: 'scrape', urls }] }
  return (await call<{ data: Monitor }>('v2/monitor', { method: 'POST', body })).data
}

export async function runMonitor(id: string): Promise<void> {
  await call(`${at(id)}/run`, { method: 'POST' })
}

export async function setStatus(id: string, status: Monitor['status']): Promise<void> {
  await call(at(id), { method: 'PATCH', body: { status } })
}

export async function deleteMonitor(id: string): Promise<void> {
  await call(at(id), { method: 'DELETE' })
}

export async function listChecks(id: string, signal: AbortSignal): Promise<readonly Check[]> {
  return (await call<{ data: readonly Check[] }>(`${at(id)}/checks?limit=50`, { signal })).data
}

export async function readCheck(id: string, check: string, signal: AbortSignal): Promise<ReadCheck> {
  const path = `${at(id)}/checks/${encodeURIComponent(check)}?limit=100`
  return (await call<{ data: ReadCheck }>(path, { signal })).data
}

const namedCrons: Readonly<Record<string, string>> = {
  '*/15 * * * *': 'every 15 minutes',
  '0 * * * *': 'every hour',
  '0 */6 * * *': 'every 6 hours',
  '0 0 * * *': 'every day',
  '0 0 * * 0': 'every week',
  '0 0 * * 1': 'every week',
}

/** Describes the targets and the schedule of a monitor. */
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
export function isOpen({ status }: Pick<Check, 'status'>): boolean {
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
