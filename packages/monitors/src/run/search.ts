// Runs a search target. Results that no earlier check found are new.
import type { Baselines } from '../check/baseline.ts'
import type { MonitorKit } from '../kit.ts'
import type { CheckedPage } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { Target } from '../requests/targets.ts'
import { judgeChange } from './judge.ts'
import { pageOf } from './pages.ts'
import type { CheckWriter } from './writer.ts'

type SearchTarget = Extract<Target, { readonly type: 'search' }>

/** Context for a search target. */
export interface SearchWork {
  readonly record: MonitorRecord
  readonly target: SearchTarget
  readonly baselines: Baselines
  readonly writer: CheckWriter
  readonly kit: MonitorKit
}

/** The result of a search target. */
export interface Searched {
  readonly credits: number
  readonly told: Readonly<Record<string, number | boolean>>
}

interface Hit {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** Time windows of search engines. Their shortest is one hour. */
const windows = { '5m': 'qdr:h', '15m': 'qdr:h', '1h': 'qdr:h', '6h': 'qdr:d', '24h': 'qdr:d', '7d': 'qdr:w' } as const

/**
 * Searches, and writes the results to the check. Known results, and new ones that are judged as not meaningful, get the status
 * `same`. Results that this check already has are skipped. Rejects if a search fails.
 */
export async function takeSearch(work: SearchWork): Promise<Searched> {
  const { record, target, baselines, writer, kit } = work
  const { hits, credits } = await searchAll(work)
  const known = await baselines.knownBefore(writer.check.id)
  const before = new Set(known)
  const written = writer.written(target.id)
  for (const hit of hits.values()) {
    if (written.has(hit.url)) continue
    const isKnown = before.has(hit.url)
    const goal = !isKnown && record.judgeEnabled ? record.goal : null
    const question = {
      team: record.team,
      check: writer.check.id,
      url: hit.url,
      text: `+ ${hit.title ?? ''}\n+ ${hit.description ?? ''}`,
    }
    const found = goal === null ? undefined : await judgeChange({ ...question, goal }, kit)
    const page = pageOf(hit.url, { ...work, target: target.id }, shown(hit, isKnown, found?.judgment))
    await writer.add([page], found?.credits)
  }
  await baselines.know(writer.check.id, [...known, ...[...hits.keys()].filter((url) => !before.has(url))])
  const matches = [...writer.written(target.id).values()].filter(({ status }) => status === 'new').length
  const judged = writer.judged(target.id)
  const told = {
    searchCompleted: true,
    resultCount: hits.size,
    matches,
    searchCredits: credits,
    judgeCredits: judged,
    resultsJudged: judged,
  }
  return { credits: credits + judged, told }
}

async function searchAll({
  record,
  target,
  kit,
}: SearchWork): Promise<{ readonly hits: ReadonlyMap<string, Hit>; readonly credits: number }> {
  const { queries, maxResults, searchWindow, includeDomains = [], excludeDomains = [] } = target
  const hits = new Map<string, Hit>()
  let credits = 0
  for (const query of queries) {
    const limit = Math.max(Math.ceil(maxResults / queries.length), 1)
    const request = { query, limit, tbs: windows[searchWindow], includeDomains, excludeDomains }
    const { web = [], creditsUsed } = await kit.engine.unchecked.search(request, {
      team: record.team,
      signal: kit.signal,
    })
    credits += creditsUsed
    for (const hit of web) if (hits.size < maxResults) hits.set(canonical(hit.url), hits.get(canonical(hit.url)) ?? hit)
  }
  return { hits: new Map([...hits].map(([url, hit]) => [url, { ...hit, url }])), credits }
}

function shown({ title, description }: Hit, isKnown: boolean, judgment: CheckedPage['judgment'] = null) {
  const isNew = !isKnown && judgment?.meaningful !== false
  const searchStatus = isKnown ? 'already_seen' : isNew ? 'alert' : 'ignored'
  const metadata = {
    searchStatus,
    judgedThisRun: judgment !== null,
    title: title ?? '',
    description: description ?? '',
  }
  return { status: isNew ? ('new' as const) : ('same' as const), metadata, judgment }
}

/** Returns a URL without its fragment and tracking parameters, so that each page has one URL. */
function canonical(address: string): string {
  const url = new URL(address)
  url.hash = ''
  for (const name of [...url.searchParams.keys()])
    if (/^(?:utm_\w+|fbclid|gclid|msclkid)$/i.test(name)) url.searchParams.delete(name)
  return url.href
}
