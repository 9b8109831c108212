import type { EngineEvent, Observer } from '@harvestman/ports'

import { readLoopDelay } from './event-loop-delay.ts'
import { families, type Labels, type Name } from './families.ts'
import type { StoreCall } from './measured-store.ts'
import { proxySeries, type ProxyFigures } from './proxy-series.ts'

/** Collects metrics of an engine for a Prometheus server. */
export interface Prometheus {
  readonly observer: Observer
  /** Counts a response of the API. */
  readonly onResponse: (response: ResponseNote) => void
  /** Counts a call of the store. */
  readonly onStoreCall: (call: StoreCall, ms: number, hasFailed: boolean) => void
  /** Returns the metrics in the Prometheus exposition format, also of the jobs and proxies if they are passed. */
  render(jobs?: JobFigures, proxies?: readonly ProxyFigures[]): string
}

/** A response of the API. */
export interface ResponseNote {
  readonly method: string
  /** The pattern of the route, for example `/v2/crawl/{id}`. */
  readonly route: string
  readonly status: number
  /** Milliseconds until the response began. */
  readonly ms: number
}

/** State of the jobs: the results of `engine.jobs.here()` and `engine.jobs.count()`. */
export interface JobFigures {
  /** Open jobs of all teams; absent while the store is unavailable. */
  readonly open?: number | undefined
  readonly running: number
  /** Milliseconds. */
  readonly idleFor: number
  readonly places: number
  readonly taken: number
  /** Number of pages that other processes are loading for this one. */
  readonly lent?: number | undefined
  /** Number of undelivered webhook messages. */
  readonly unsent?: number | undefined
  /** Open jobs by team; absent while the store is unavailable. */
  readonly teams?: Readonly<Record<string, number>> | undefined
  /** Milliseconds that the most overdue check of a monitor is late. */
  readonly monitorLag?: number | undefined
}

// Cached responses and calls of the store take less than a millisecond.
const fineBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025]
const coarseBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, Infinity]
const isFine: ReadonlySet<Name> = new Set(['harvestman_http_seconds', 'harvestman_store_seconds'])
const boundsOf = (name: Name): readonly number[] => (isFine.has(name) ? [...fineBounds, ...coarseBounds] : coarseBounds)

/** Counters of events that an operator should check. */
const troubles = {
  warning: 'harvestman_warnings_total',
  'job.stood': 'harvestman_jobs_stood_total',
  'store.wentBack': 'harvestman_store_went_back_total',
  'job.stranded': 'harvestman_jobs_stranded_total',
} as const satisfies Readonly<Record<string, Name>>

// Limit on the number of series. Labels come from tables of the engine and from plugins, and a plugin that generates them must
// not fill the memory.
const maxSeries = 2_000
const maxTeams = 20

/**
 * Creates a collector of metrics in the Prometheus exposition format. It has at most 2,000 combinations of labels per kind of
 * metric (counters, histograms); further ones are silently not counted.
 */
export function prometheus(): Prometheus {
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  const add = (name: Name, labels?: Labels, by = 1): void => {
    const counter = findOrAdd(counters, name, labels, () => ({ name, labels, value: 0 }))
    if (counter) counter.value += by
  }
  const observe = (name: Name, ms: number, labels?: Labels): void => {
    const histogram = findOrAdd(histograms, name, labels, () => makeHistogram(name, labels))
    if (histogram) record(histogram, ms)
  }
  for (const [name, family] of Object.entries(families)) {
    // Cast: the keys of `families` are the names.
    if (family.type === 'counter') for (const labels of family.zeros) add(name as Name, labels, 0)
  }
  const { onResponse, onStoreCall, storeTimes } = timed({ counters, histograms, add })
  const count: Observer = (event: EngineEvent) => {
    switch (event.kind) {
      case 'scrape.started':
        return add('harvestman_scrapes_started_total')
      case 'scrape.completed':
        add('harvestman_scrapes_total', { outcome: 'completed' })
        add('harvestman_credits_total', undefined, event.credits)
        return observe('harvestman_scrape_seconds', event.ms)
      case 'scrape.failed':
        add('harvestman_scrapes_total', { outcome: event.code })
        return observe('harvestman_scrape_seconds', event.ms)
      case 'scrape.step':
        return observe('harvestman_step_seconds', event.ms, { step: event.step })
      case 'loader.tried':
        return add('harvestman_loader_tries_total', { loader: event.loader, outcome: event.outcome })
      case 'store.forgot':
        add('harvestman_store_forgotten_total', undefined, event.entries)
        return add('harvestman_store_forgotten_bytes_total', undefined, event.bytes)
      case 'job.stood':
      case 'store.wentBack':
      case 'job.stranded':
      case 'warning':
        return add(troubles[event.kind])
      case 'job.taken':
        return observe('harvestman_job_wait_seconds', event.waited, { takeover: event.isTakeover ? 'yes' : 'no' })
      case 'fault':
        return add('harvestman_faults_total', { where: event.where })
      default:
        return undefined
    }
  }
  const render: Prometheus['render'] = (jobs, proxies = []) => {
    const gauges = [
      ...(jobs ? gaugesOf(jobs) : []),
      ['process_resident_memory_bytes', process.memoryUsage.rss()],
      ['process_uptime_seconds', process.uptime()],
    ] as const
    const now = [...gauges.map(([name, value]) => ({ name, value })), ...teamGauges(jobs?.teams), ...delayGauges()]
    const timed = [...histograms.values(), ...storeTimes.values()].flatMap(seriesOf)
    const counted = [...counters.values(), ...timed, ...now, ...proxySeries(proxies)]
    const all = Map.groupBy(counted, ({ name }) => name)
    return [...all].map(([name, lines]) => renderFamily(name, lines)).join('')
  }
  return { observer: count, onResponse, onStoreCall, render }
}

interface Tables {
  readonly counters: Map<string, Counter>
  readonly histograms: Map<string, Histogram>
  readonly add: (name: Name, labels?: Labels, by?: number) => void
}

/** Counts frequent events: their series are cached, so that the labels are not built each time. */
function timed({ counters, histograms, add }: Tables) {
  const responses = new Map<string, ResponseSeries | undefined>()
  const seriesFor = ({ method, route, status }: ResponseNote): ResponseSeries | undefined => {
    const key = `${method} ${status} ${route}`
    const known = responses.get(key)
    if (known || responses.size >= maxSeries) return known
    const labels = { method, route, code: String(status) }
    const [counter, timer] = ['harvestman_http_requests_total', 'harvestman_http_seconds'] as const
    const count = findOrAdd(counters, counter, labels, () => ({ name: counter, labels, value: 0 }))
    const time = findOrAdd(histograms, timer, { route }, () => makeHistogram(timer, { route }))
    const made = count && time && { count, time }
    responses.set(key, made)
    return made
  }
  const onResponse: Prometheus['onResponse'] = (response) => {
    const series = seriesFor(response)
    if (!series) return
    series.count.value += 1
    record(series.time, response.ms)
  }
  const storeTimes = new Map<StoreCall, Histogram>()
  const onStoreCall: Prometheus['onStoreCall'] = (call, ms, hasFailed) => {
    const known = storeTimes.get(call) ?? makeHistogram('harvestman_store_seconds', { call })
    storeTimes.set(call, known)
    record(known, ms)
    if (hasFailed) add('harvestman_store_errors_total', { call })
  }
  return { onResponse, onStoreCall, storeTimes }
}

interface ResponseSeries {
  readonly count: Counter
  readonly time: Histogram
}

function makeHistogram(name: Name, labels: Labels | undefined): Histogram {
  const bounds = boundsOf(name)
  return { name, labels, bounds, counts: bounds.map(() => 0), sum: 0 }
}

function record(histogram: Histogram, ms: number): void {
  const seconds = ms / 1_000
  const bucket = histogram.bounds.findIndex((bound) => seconds <= bound)
  histogram.counts[bucket]! += 1
  histogram.sum += seconds
}

/** Returns the teams with the most open jobs; the number of teams is unlimited, so all others share one series. */
function teamGauges(teams: Readonly<Record<string, number>> = {}): readonly Series[] {
  const sorted = Object.entries(teams).toSorted(([, a], [, b]) => b - a)
  const rest = sorted.slice(maxTeams).reduce((sum, [, jobs]) => sum + jobs, 0)
  const shown = [...sorted.slice(0, maxTeams), ...(rest > 0 ? [['other', rest] as const] : [])]
  return shown.map(([team, value]) => ({ name: 'harvestman_team_jobs_open', labels: { team }, value }))
}

function delayGauges(): readonly Series[] {
  const name = 'harvestman_event_loop_delay_seconds'
  return Object.entries(readLoopDelay()).map(([quantile, value]) => ({ name, labels: { quantile }, value }))
}

function gaugesOf({ open, running, idleFor, places, taken, ...more }: JobFigures) {
  const { lent, unsent, monitorLag } = more
  return [
    ...(lent === undefined ? [] : [['harvestman_pages_lent', lent] as const]),
    ...(unsent === undefined ? [] : [['harvestman_webhooks_waiting', unsent] as const]),
    ...(monitorLag === undefined ? [] : [['harvestman_monitor_lag_seconds', monitorLag / 1_000] as const]),
    ...(open === undefined ? [] : [['harvestman_jobs_open', open] as const]),
    ['harvestman_jobs_running', running],
    ['harvestman_job_still_seconds', idleFor / 1_000],
    ['harvestman_places', places],
    ['harvestman_places_taken', taken],
    ['harvestman_load', taken / places],
  ] as const
}

interface Series {
  readonly name: Name
  readonly suffix?: string
  readonly labels?: Labels | undefined
  readonly value: number
}

interface Counter extends Series {
  value: number
}

interface Histogram {
  readonly name: Name
  readonly labels: Labels | undefined
  readonly bounds: readonly number[]
  /** Number of values in each bucket; not cumulative. */
  readonly counts: number[]
  sum: number
}

function findOrAdd<Of>(all: Map<string, Of>, name: Name, labels: Labels | undefined, make: () => Of): Of | undefined {
  const key = labels ? name + JSON.stringify(labels) : name
  const known = all.get(key)
  if (known || all.size >= maxSeries) return known
  const made = make()
  all.set(key, made)
  return made
}

/** Returns one cumulative series per bucket, and the sum and count of all values. */
function seriesOf({ name, labels, bounds, counts, sum }: Histogram): readonly Series[] {
  let below = 0
  const buckets = counts.map((count, index) => {
    const le = bounds[index] === Infinity ? '+Inf' : String(bounds[index])
    below += count
    return { name, suffix: '_bucket', labels: { ...labels, le }, value: below }
  })
  return [...buckets, { name, suffix: '_sum', labels, value: sum }, { name, suffix: '_count', labels, value: below }]
}

function renderFamily(name: Name, lines: readonly Series[]): string {
  const { type, help } = families[name]
  const text = lines.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${text.join('')}`
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return parts.length > 0 ? `{${parts.join(',')}}` : ''
}

function escaped(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}
