// Monitors on the server: pages, crawls and searches that are checked on a schedule.
import type { Ask, Http } from './http.ts'
import type { WaitOptions } from './job.ts'
import type { ChangedMonitor, NewMonitor } from './types.ts'

/** How many pages of a check came to what. */
export interface MonitorSummary {
  readonly totalPages: number
  readonly same: number
  readonly changed: number
  readonly new: number
  readonly removed: number
  readonly error: number
}

/** A monitor, as the server shows it. */
export interface Monitor {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'paused'
  readonly schedule: { readonly cron?: string; readonly every?: number; readonly timezone: string }
  readonly targets: readonly { readonly id: string; readonly type: 'scrape' | 'crawl' | 'search' }[]
  readonly nextRunAt: string | null
  readonly lastRunAt: string | null
  /** The check that runs now. */
  readonly currentCheckId: string | null
  readonly lastCheckSummary: MonitorSummary | null
  readonly creditsThisMonth: number
  readonly maxCreditsPerMonth: number | null
  /** Addresses for feed readers. Each holds a secret: with it the feed is read without a key. */
  readonly feeds: { readonly rss: string; readonly atom: string; readonly json: string }
  readonly createdAt: string
  readonly updatedAt: string
}

/** A check of a monitor. */
export interface MonitorCheck {
  readonly id: string
  readonly monitorId: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'partial' | 'skipped_overlap' | 'skipped_no_credits'
  readonly trigger: 'scheduled' | 'manual'
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly actualCredits: number | null
  readonly summary: MonitorSummary
  readonly error: string | null
  readonly createdAt: string
}

/** A page of a check. */
export interface CheckedPage {
  readonly id: string
  readonly targetId: string
  readonly url: string
  readonly status: 'same' | 'new' | 'changed' | 'removed' | 'error'
  readonly previousScrapeId: string | null
  readonly currentScrapeId: string | null
  readonly statusCode: number | null
  readonly error: string | null
  /** What changed: as Git prints it, and as data. */
  readonly diff: { readonly text?: string; readonly json?: unknown } | null
}

/** A check with some of its pages. */
export interface MonitorCheckPages extends MonitorCheck {
  readonly pages: readonly CheckedPage[]
}

/** Which pages of a check are read. */
export interface CheckQuery {
  /** 1 to 100; 25 when absent. */
  readonly limit?: number | undefined
  readonly skip?: number | undefined
  readonly status?: CheckedPage['status'] | undefined
}

/** The monitors of your team. */
export interface Monitors {
  create(monitor: NewMonitor, options?: WaitOptions): Promise<Monitor>
  /** Yields all of them, the newest first. */
  list(options?: WaitOptions): AsyncGenerator<Monitor, void, void>
  get(id: string, options?: WaitOptions): Promise<Monitor>
  /** Changes what is named. */
  update(id: string, changes: ChangedMonitor, options?: WaitOptions): Promise<Monitor>
  pause(id: string, options?: WaitOptions): Promise<Monitor>
  resume(id: string, options?: WaitOptions): Promise<Monitor>
  /** Begins a check now. It goes on after this returns: read it with `check`. */
  run(id: string, options?: WaitOptions): Promise<MonitorCheck>
  /** Deletes a monitor and its checks. */
  delete(id: string, options?: WaitOptions): Promise<void>
  /** Yields the checks of a monitor, the newest first. */
  checks(id: string, options?: WaitOptions): AsyncGenerator<MonitorCheck, void, void>
  /** A check with some of its pages. */
  check(id: string, checkId: string, query?: CheckQuery, options?: WaitOptions): Promise<MonitorCheckPages>
  /** Yields the pages of a check; with a `status`, only those. */
  pages(
    id: string,
    checkId: string,
    query?: Pick<CheckQuery, 'status'>,
    options?: WaitOptions,
  ): AsyncGenerator<CheckedPage, void, void>
}

interface Told<Data> {
  readonly data: Data
}

const atOnce = 100

/** Makes the methods about monitors. */
export function makeMonitors(http: Http): Monitors {
  const ask = async <Data>(
    method: Ask['method'],
    path: string,
    { signal }: WaitOptions = {},
    body?: object,
  ): Promise<Data> =>
    (await http.ask<Told<Data>>({ method, path: `/v2/monitor${path}`, body, signal, isRepeatable: method === 'GET' }))
      .data
  async function* all<Item>(path: string, options?: WaitOptions): AsyncGenerator<Item, void, void> {
    for (let offset = 0; ; offset += atOnce) {
      const some = await ask<readonly Item[]>('GET', `${path}?limit=${atOnce}&offset=${offset}`, options)
      yield* some
      if (some.length < atOnce) return
    }
  }
  const check: Monitors['check'] = (id, checkId, query = {}, options) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const asked = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return ask('GET', `${at(id)}/checks/${encodeURIComponent(checkId)}?${asked.toString()}`, options)
  }
  async function* pages(...[id, checkId, query, options]: Parameters<Monitors['pages']>) {
    for (let skip = 0; ; skip += atOnce) {
      const found = await check(id, checkId, { ...query, limit: atOnce, skip }, options)
      yield* found.pages
      if (found.pages.length < atOnce) return
    }
  }
  const update: Monitors['update'] = (id, changes, options) => ask('PATCH', at(id), options, changes)
  return {
    update,
    check,
    pages,
    create: (monitor, options) => ask('POST', '', options, monitor),
    list: (options) => all('', options),
    get: (id, options) => ask('GET', at(id), options),
    pause: (id, options) => update(id, { status: 'paused' }, options),
    resume: (id, options) => update(id, { status: 'active' }, options),
    run: (id, options) => ask('POST', `${at(id)}/run`, options),
    delete: (id, options) => ask('DELETE', at(id), options),
    checks: (id, options) => all(`${at(id)}/checks`, options),
  }
}

function at(id: string): string {
  return `/${encodeURIComponent(id)}`
}
