import type { EngineEvent, Observer } from '@harvestman/ports'

/** Counts what an engine does, for a Prometheus server to fetch. */
export interface Prometheus {
  readonly observer: Observer
  /** The metrics in the text format of Prometheus, with those of jobs when they are given. */
  render(jobs?: JobFigures): string
}

/** How jobs stand: what `engine.jobs.here()` and `engine.jobs.count()` give. */
export interface JobFigures {
  /** Jobs of all teams that are not over; absent while the store is away. */
  readonly open?: number | undefined
  readonly running: number
  /** Milliseconds. */
  readonly longestStill: number
  readonly places: number
  readonly taken: number
}

interface Family {
  readonly type: 'counter' | 'histogram' | 'gauge'
  readonly help: string
}

const families = {
  harvestman_scrapes_started_total: { type: 'counter', help: 'Scrapes that were begun.' },
  harvestman_scrapes_total: {
    type: 'counter',
    help: 'Scrapes that ended, by outcome: completed, or the code of the failure.',
  },
  harvestman_scrape_seconds: { type: 'histogram', help: 'How long scrapes took, whatever came of them.' },
  harvestman_step_seconds: { type: 'histogram', help: 'How long each step of a scrape took.' },
  harvestman_loader_tries_total: { type: 'counter', help: 'Tries of each loader, by outcome: page, passed or failed.' },
  harvestman_credits_total: { type: 'counter', help: 'Credits that scrapes cost.' },
  harvestman_store_forgotten_total: {
    type: 'counter',
    help: 'Entries of the store in memory that went before their time, because more was kept than fits.',
  },
  harvestman_store_forgotten_bytes_total: { type: 'counter', help: 'Bytes of these entries.' },
  harvestman_warnings_total: { type: 'counter', help: 'Warnings to the operator.' },
  harvestman_faults_total: {
    type: 'counter',
    help: 'Things of ours that broke, by where: request or connection. Each ended that and nothing else.',
  },
  harvestman_jobs_stood_total: {
    type: 'counter',
    help: 'Jobs that did nothing though they could, and were given back to be taken up anew. Anything but 0 is a fault.',
  },
  harvestman_store_went_back_total: {
    type: 'counter',
    help: 'Runs of jobs that found the store at an earlier state than they had written. The jobs continue from what is there.',
  },
  harvestman_jobs_stranded_total: {
    type: 'counter',
    help: 'Jobs that were not over and not among the open jobs. Each was opened again, or ended when its log was lost.',
  },
  harvestman_job_wait_seconds: {
    type: 'histogram',
    help: 'How long jobs waited for a worker, by takeover: from when they were asked for, or from the last that the worker before kept.',
  },
  harvestman_jobs_open: {
    type: 'gauge',
    help: 'Jobs of all teams that are not over, on the store that all processes share.',
  },
  harvestman_jobs_running: { type: 'gauge', help: 'Jobs that this process works on: it holds the lease of each.' },
  harvestman_job_still_seconds: {
    type: 'gauge',
    help: 'Seconds since the job of this process that has stood longest kept anything. It may wait for a host.',
  },
  harvestman_places: { type: 'gauge', help: 'Places for pages in this process.' },
  harvestman_places_taken: { type: 'gauge', help: 'Places for pages that are taken.' },
  harvestman_load: {
    type: 'gauge',
    help: 'The part of the places that is taken, at most 1.25. More workers are of use where it is near 1.',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of the process.' },
  process_uptime_seconds: { type: 'gauge', help: 'Seconds since the process began.' },
} as const satisfies Readonly<Record<string, Family>>

type Name = keyof typeof families
type Labels = Readonly<Record<string, string>>

/** Those without labels are there from the start: an alert on their growth would not see the first step from nothing. */
const countedFromStart = [
  'harvestman_scrapes_started_total',
  'harvestman_credits_total',
  'harvestman_store_forgotten_total',
  'harvestman_store_forgotten_bytes_total',
  'harvestman_warnings_total',
  'harvestman_jobs_stood_total',
  'harvestman_store_went_back_total',
  'harvestman_jobs_stranded_total',
] as const satisfies readonly Name[]

/** Counters of what an operator should look at. */
const troubles = {
  warning: 'harvestman_warnings_total',
  'job.stood': 'harvestman_jobs_stood_total',
  'store.wentBack': 'harvestman_store_went_back_total',
  'job.stranded': 'harvestman_jobs_stranded_total',
} as const satisfies Readonly<Record<string, Name>>

const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, Infinity]

// Labels come from the engine's own tables, and from plugins; a plugin that makes them up must not fill the memory.
const mostSeries = 2_000

/** Makes metrics in the text format of Prometheus. */
export function prometheus(): Prometheus {
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  const add = (name: Name, labels?: Labels, by = 1): void => {
    const counter = findOrAdd(counters, name, labels, () => ({ name, labels, value: 0 }))
    if (counter) counter.value += by
  }
  const observe = (name: Name, ms: number, labels?: Labels): void => {
    const histogram = findOrAdd(histograms, name, labels, () => ({ name, labels, counts: bounds.map(() => 0), sum: 0 }))
    if (!histogram) return
    const seconds = ms / 1_000
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    histogram.counts[bucket]! += 1
    histogram.sum += seconds
  }
  for (const name of countedFromStart) add(name, undefined, 0)
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
  const render: Prometheus['render'] = (jobs) => {
    const gauges = [
      ...(jobs ? gaugesOf(jobs) : []),
      ['process_resident_memory_bytes', process.memoryUsage.rss()],
      ['process_uptime_seconds', process.uptime()],
    ] as const
    const now = gauges.map(([name, value]) => ({ name, value }))
    const counted = [...counters.values(), ...[...histograms.values()].flatMap(seriesOf), ...now]
    const all = Map.groupBy(counted, ({ name }) => name)
    return [...all].map(([name, lines]) => renderFamily(name, lines)).join('')
  }
  return { observer: count, render }
}

function gaugesOf({ open, running, longestStill, places, taken }: JobFigures): readonly (readonly [Name, number])[] {
  return [
    ...(open === undefined ? [] : [['harvestman_jobs_open', open] as const]),
    ['harvestman_jobs_running', running],
    ['harvestman_job_still_seconds', longestStill / 1_000],
    ['harvestman_places', places],
    ['harvestman_places_taken', taken],
    ['harvestman_load', taken / places],
  ]
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
  /** How many fell between each bound and the one before it. */
  readonly counts: number[]
  sum: number
}

function findOrAdd<Of>(all: Map<string, Of>, name: Name, labels: Labels | undefined, make: () => Of): Of | undefined {
  const key = labels ? name + JSON.stringify(labels) : name
  const known = all.get(key)
  if (known || all.size >= mostSeries) return known
  const made = make()
  all.set(key, made)
  return made
}

/** A line for each bucket, with all that fell below its bound, and the sum and the number of all. */
function seriesOf({ name, labels, counts, sum }: Histogram): readonly Series[] {
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
