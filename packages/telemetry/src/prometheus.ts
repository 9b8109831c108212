import type { EngineEvent, Observer } from '@harvestman/ports'

/** Counts what an engine does, for a Prometheus server to fetch. */
export interface Prometheus {
  readonly observer: Observer
  /** The metrics in the text format of Prometheus, with what is known of the whole installation when that is given. */
  render(whole?: { readonly openJobs: number }): string
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
  harvestman_jobs_open: {
    type: 'gauge',
    help: 'Jobs of all teams that are not over, on the store that all processes share.',
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
] as const satisfies readonly Name[]

const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

// Labels come from the engine's own tables, and from plugins; a plugin that makes them up must not fill the memory.
const mostSeries = 2_000

/** Makes metrics in the text format of Prometheus. */
export function prometheus(): Prometheus {
  const series = new Map<
    string,
    { readonly name: Name; readonly suffix: string; readonly labels: Labels; value: number }
  >()
  const add = (name: Name, labels: Labels = {}, by = 1, suffix = ''): void => {
    const key = name + suffix + JSON.stringify(labels)
    const known = series.get(key)
    if (known) known.value += by
    else if (series.size < mostSeries) series.set(key, { name, suffix, labels, value: by })
  }
  const observe = (name: Name, ms: number, labels: Labels = {}): void => {
    const seconds = ms / 1_000
    // Every bucket is there from the first observation on, as the format wants it.
    for (const bound of bounds) add(name, { ...labels, le: String(bound) }, seconds <= bound ? 1 : 0, '_bucket')
    add(name, { ...labels, le: '+Inf' }, 1, '_bucket')
    add(name, labels, seconds, '_sum')
    add(name, labels, 1, '_count')
  }
  for (const name of countedFromStart) add(name, {}, 0)
  const count: Observer = (event: EngineEvent) => {
    switch (event.kind) {
      case 'scrape.started':
        return add('harvestman_scrapes_started_total')
      case 'scrape.completed':
        add('harvestman_scrapes_total', { outcome: 'completed' })
        add('harvestman_credits_total', {}, event.credits)
        return observe('harvestman_scrape_seconds', event.ms)
      case 'scrape.failed':
        add('harvestman_scrapes_total', { outcome: event.code })
        return observe('harvestman_scrape_seconds', event.ms)
      case 'scrape.step':
        return observe('harvestman_step_seconds', event.ms, { step: event.step })
      case 'loader.tried':
        return add('harvestman_loader_tries_total', { loader: event.loader, outcome: event.outcome })
      case 'store.forgot':
        add('harvestman_store_forgotten_total', {}, event.entries)
        return add('harvestman_store_forgotten_bytes_total', {}, event.bytes)
      case 'job.stood':
        return add('harvestman_jobs_stood_total')
      case 'warning':
        return add('harvestman_warnings_total')
      case 'fault':
        return add('harvestman_faults_total', { where: event.where })
      default:
        return undefined
    }
  }
  const render: Prometheus['render'] = (whole) => {
    const gauges = [
      ...(whole ? [{ name: 'harvestman_jobs_open' as const, suffix: '', labels: {}, value: whole.openJobs }] : []),
      { name: 'process_resident_memory_bytes' as const, suffix: '', labels: {}, value: process.memoryUsage.rss() },
      { name: 'process_uptime_seconds' as const, suffix: '', labels: {}, value: process.uptime() },
    ]
    const all = Map.groupBy([...series.values(), ...gauges], ({ name }) => name)
    return [...all].map(([name, lines]) => renderFamily(name, lines)).join('')
  }
  return { observer: count, render }
}

interface Series {
  readonly suffix: string
  readonly labels: Labels
  readonly value: number
}

function renderFamily(name: Name, lines: readonly Series[]): string {
  const { type, help } = families[name]
  const text = lines.map(({ suffix, labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`)
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
