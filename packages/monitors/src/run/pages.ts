// Compares the pages of a check, writes them to the check, then stores them as baselines, in this order. An engine that resumes
// the check skips pages that were written, and repeating the last step has no effect.
import type { FeatureDocument, FeatureJob } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'

import type { Baseline, Baselines } from '../check/baseline.ts'
import { comparePage, isMissing, sightingOf, valueOf, type Comparison } from '../check/compare.ts'
import type { TargetJob } from '../check/page-request.ts'
import { pageIdOf } from '../ids.ts'
import type { MonitorKit } from '../kit.ts'
import type { CheckedPage } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { judgeChange } from './judge.ts'
import type { Paces } from './pace.ts'
import type { CheckWriter } from './writer.ts'

/** Context for the pages of one target. */
export interface TargetWork {
  readonly record: MonitorRecord
  readonly target: string
  readonly job: TargetJob
  readonly baselines: Baselines
  readonly writer: CheckWriter
  readonly kit: MonitorKit
  /** Set if pages are visited as often as they change. */
  readonly paces?: Paces | undefined
}

const atOnce = 25

/** Returns the tag under which page content of a target is stored, for `engine.changes`. */
export function contentTag(monitor: string, target: string): string {
  return ['monitor', monitor, target].join('/')
}

/**
 * Processes all pages of a job. Returns their URLs, including failed ones. Repeated URLs are processed once. Rejects if the job
 * or the store fails, when aborted, and with `LeftCheck` if another engine has taken over the check.
 */
export async function takePages(job: FeatureJob, work: TargetWork): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  let some: FeatureDocument[] = []
  for await (const page of job.documents({ signal: work.kit.signal })) {
    const { sourceURL } = page.metadata
    if (seen.has(sourceURL)) continue
    seen.add(sourceURL)
    some.push(page)
    if (some.length < atOnce) continue
    await takeSome(some, work)
    some = []
  }
  await takeSome(some, work)
  const { errors } = await job.errors()
  const failed = errors.filter(({ url }) => !seen.has(url) && !work.writer.written(work.target).has(url))
  const unique = [...new Map(failed.map((one) => [one.url, one])).values()]
  await work.writer.add(unique.map(({ url, error }) => pageOf(url, work, { status: 'error', error })))
  for (const { url } of errors) seen.add(url)
  return seen
}

async function takeSome(pages: readonly FeatureDocument[], work: TargetWork): Promise<void> {
  const { target, writer, baselines } = work
  const written = writer.written(target)
  const found = await Promise.all(
    pages.map(async (page) => {
      const url = page.metadata.sourceURL
      const status = written.get(url)?.status
      if (status !== undefined) return { page, isStored: status !== 'error' && status !== 'same' }
      const before = await baselines.before(writer.check.id, url)
      return { page, ...(await look(page, before, work)) }
    }),
  )
  const looked = found.filter((one) => 'told' in one)
  const judged = looked.reduce((sum, { credits }) => sum + credits, 0)
  await writer.add(
    looked.map(({ told }) => told),
    judged,
  )
  await Promise.all(found.map(({ page, isStored }) => remember(page, isStored, work)))
  if (work.paces) await Promise.all(pages.map((page) => notePace(page, work)))
}

/** Records a visit. Failed pages are not recorded, so they are due again at the next check. */
async function notePace({ metadata }: FeatureDocument, { paces, writer, target }: TargetWork): Promise<void> {
  const { sourceURL: url, scrapeId } = metadata
  const status = writer.written(target).get(url)?.status
  if (status !== undefined && status !== 'error') await paces?.note({ url, scrapeId, hasChanged: status !== 'same' })
}

async function look(page: FeatureDocument, before: Baseline | undefined, work: TargetWork) {
  const { record, kit, target, job, writer } = work
  const { team, change } = record
  const of = { tag: contentTag(record.id, target), check: writer.check.id }
  const parts = { team, change, job, ...of, history: kit.history, signal: kit.signal }
  const comparison = await comparePage(page, before, parts)
  const { status, diff, isStored } = comparison
  const goal = status === 'changed' && record.judgeEnabled ? record.goal : null
  const text = diff?.text ?? JSON.stringify(diff?.json ?? {}, null, 1)
  const judged =
    goal === null
      ? undefined
      : await judgeChange({ ...{ team, goal, text }, check: writer.check.id, url: page.metadata.sourceURL }, kit)
  const told = pageEntry(page, before?.scrapeId ?? null, comparison, work, judged?.judgment)
  return { told, isStored, credits: judged?.credits ?? 0 }
}

function pageEntry(
  page: FeatureDocument,
  previousScrapeId: string | null,
  { isStored: _isKept, ...comparison }: Comparison,
  work: TargetWork,
  judgment?: CheckedPage['judgment'],
): CheckedPage {
  const { scrapeId, statusCode, sourceURL, title, url, creditsUsed } = page.metadata
  const { contentType, proxyUsed, numPages } = page.metadata as { readonly [name: string]: Json | undefined }
  const metadata = { title: title?.slice(0, 500), url, contentType, numPages, proxyUsed, creditsUsed }
  return {
    ...pageOf(sourceURL, work, comparison),
    ...{ previousScrapeId, currentScrapeId: scrapeId, statusCode },
    metadata: Object.fromEntries(
      Object.entries(metadata).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    judgment: judgment ?? null,
  }
}

/** Builds a page of a check from its status and any further known properties. All others are null. */
export function pageOf(
  url: string,
  { target, writer, kit }: Pick<TargetWork, 'target' | 'writer' | 'kit'>,
  known: Pick<CheckedPage, 'status'> & Partial<CheckedPage>,
): CheckedPage {
  return {
    ...{ id: pageIdOf(writer.check.id, target, url), targetId: target, url },
    ...{ previousScrapeId: null, currentScrapeId: null, statusCode: null, error: null, metadata: null, diff: null },
    ...{ judgment: null, createdAt: new Date(kit.clock.now()).toISOString() },
    ...known,
  }
}

/** Stores the page as a baseline. Must run after it was written, so that a resumed check still compares with the old state. */
async function remember(
  page: FeatureDocument,
  isStored: boolean,
  { record, target, job, baselines, writer, kit }: TargetWork,
): Promise<void> {
  const check = writer.check.id
  if (!isStored) return
  const { sourceURL: url, scrapeId } = page.metadata
  if (job.comparesText) {
    const sighting = { ...sightingOf(page), patterns: record.change.ignore.patterns }
    await kit.history.keep({ team: record.team, url, tag: contentTag(record.id, target) }, sighting, check)
  }
  const value = isMissing(page) ? undefined : valueOf(page, job.values)
  await baselines.keep(url, { check, scrapeId, isGone: isMissing(page), ...(value !== undefined && { value }) })
}
