// Crawls and batches on a server: status, documents and events.
import { readEvents, readLines } from './events.ts'
import { HarvestmanError } from './error.ts'
import { pause, type Http } from './http.ts'
import type { ExplainedUrl, JobErrors, JobEvent, JobRow, JobState, ListedJob, WebhookState } from './requests.ts'

/** Options of a request. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
}

/** A crawl or a batch on the server. */
export interface Job<Document> {
  readonly id: string
  /** For a batch with `ignoreInvalidURLs`: the URLs that were skipped. */
  readonly invalidURLs?: readonly string[]
  /** Returns the status of the job, without its documents. */
  status(options?: WaitOptions): Promise<JobState>
  /** Yields each document once as it is finished, until the job ends. `skip` omits the first N. */
  documents(options?: WaitOptions & { readonly skip?: number }): AsyncGenerator<Document, void, void>
  /**
   * Yields the events of the job from its start, or after the event with the id `after`. Reconnects if the connection breaks.
   */
  events(options?: WaitOptions & { readonly after?: string }): AsyncGenerator<JobEvent<Document>, void, void>
  /** Returns the failed pages, and the URLs that robots.txt disallows. */
  errors(options?: WaitOptions): Promise<JobErrors>
  /** Yields the outcome of each URL so far, without documents, in order of completion. */
  rows(options?: WaitOptions): AsyncGenerator<JobRow, void, void>
  /** Returns the webhook messages that were not delivered. */
  webhook(options?: WaitOptions): Promise<WebhookState>
  /** Retries the webhook messages that had been given up. Resolves to their number. */
  redeliver(options?: WaitOptions): Promise<number>
  /** Waits until the job ends and returns its final status. */
  end(options?: WaitOptions): Promise<JobState>
  /** Cancels the job; its documents remain. Resolves to `false` if it had already ended. */
  cancel(options?: WaitOptions): Promise<boolean>
}

/** A crawl on the server. */
export interface CrawlJob<Document> extends Job<Document> {
  /** Yields the URLs that the crawl found and its decision about each; with `url`, only that URL. */
  explain(options?: WaitOptions & { readonly url?: string | undefined }): AsyncGenerator<ExplainedUrl, void, void>
}

/** A job of any kind, with its request including all defaults. */
export interface AnyJob {
  readonly job: ListedJob
  readonly request: Readonly<Record<string, unknown>>
}

/** Which rows of a job to return. */
export interface RowsQuery {
  /** The `cursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Approximate number of rows. Default: 1,000. */
  readonly limit?: number | undefined
}

/** The status of a job, and the outcomes of some of its URLs. */
export interface JobRows {
  readonly job: ListedJob
  readonly rows: readonly JobRow[]
  readonly cursor?: string
  /** Whether more rows exist now. Later rows of a running job follow the same cursor. */
  readonly hasMore: boolean
}

interface Page<Document> extends JobState {
  readonly data: readonly Document[]
  readonly next?: string
}

const reconnectPause = 2_000
// Milliseconds; the maximum of a timer, because an event stream has no expected duration.
const streamTimeout = 2_147_483_647

/**
 * Creates the handle of a crawl or batch, with the properties in `more`. Sends nothing by itself: methods of a job that does not
 * exist reject with a `HarvestmanError`. `documents` throws `JOB_FAILED` at the end of a failed job.
 */
export function makeJob<Document>(
  http: Http,
  kind: 'crawl' | 'batch/scrape',
  id: string,
  more: object = {},
): Job<Document> {
  const path = `/v2/${kind}/${encodeURIComponent(id)}`
  const get = <Answer>(rest: string, signal: AbortSignal | undefined): Promise<Answer> =>
    http.ask<Answer>({ method: 'GET', path: path + rest, signal, isRepeatable: true })
  const status = async ({ signal }: WaitOptions = {}): Promise<JobState> => {
    const { data: _, next: __, ...state } = await get<Page<Document>>('?limit=1', signal)
    return state
  }

  async function* documents({ signal, skip = 0 }: WaitOptions & { readonly skip?: number } = {}) {
    let query: string | undefined = `?skip=${skip}`
    while (query !== undefined) {
      // Only the query string of `next` is used, so that no response can redirect the key to another host.
      const { data, next, status: state, error }: Page<Document> = await get(query, signal)
      yield* data
      if (next === undefined && state === 'failed')
        throw new HarvestmanError(error ?? 'The job failed.', { code: 'JOB_FAILED' })
      query = next === undefined ? undefined : next.slice(next.indexOf('?'))
    }
  }

  const events: Job<Document>['events'] = (options) => eventsOf(http, path, options)

  return {
    id,
    ...more,
    status,
    documents,
    events,
    errors: ({ signal } = {}) => get('/errors', signal),
    rows: (options) => rowsOf(http, id, options),
    webhook: async ({ signal } = {}) => (await get<{ readonly data: WebhookState }>('/webhook', signal)).data,
    redeliver: async ({ signal } = {}) => {
      const ask = { method: 'POST', path: `${path}/webhook/redeliver`, signal, isRepeatable: true } as const
      return (await http.ask<{ readonly redelivered: number }>(ask)).redelivered
    },
    end: async ({ signal } = {}) => {
      for await (const _ of events({ signal }));
      return status({ signal })
    },
    cancel: ({ signal } = {}) => cancelAt(http, path, signal),
  }
}

/** Creates the handle of a crawl, as `makeJob` does. Sends nothing by itself. */
export function makeCrawl<Document>(http: Http, id: string, more: object = {}): CrawlJob<Document> {
  return { ...makeJob<Document>(http, 'crawl', id, more), explain: (options) => explained(http, id, options) }
}

/** Finds a job of any kind. Rejects with a `HarvestmanError` if it does not exist. */
export function findAnyJob(http: Http, id: string, { signal }: WaitOptions = {}): Promise<AnyJob> {
  return http.ask({ method: 'GET', path: `/v2/jobs/${encodeURIComponent(id)}`, signal, isRepeatable: true })
}

/** Returns the status of a job of any kind. Rejects with a `HarvestmanError` if it does not exist. */
export async function jobStatus(http: Http, id: string, { signal }: WaitOptions = {}): Promise<ListedJob> {
  const path = `/v2/jobs/${encodeURIComponent(id)}?request=false`
  return (await http.ask<Pick<AnyJob, 'job'>>({ method: 'GET', path, signal, isRepeatable: true })).job
}

/**
 * Yields the outcomes of a job of any kind so far. Ends without waiting for a running job. Throws a `HarvestmanError` if the job
 * does not exist.
 */
export async function* rowsOf(
  http: Http,
  id: string,
  { signal }: WaitOptions = {},
): AsyncGenerator<JobRow, void, void> {
  for (let after: string | undefined; ;) {
    const { rows, cursor, hasMore } = await jobRows(http, id, { cursor: after }, { signal })
    yield* rows
    if (!hasMore || cursor === undefined) return
    after = cursor
  }
}

/**
 * Returns the status of a job and one page of its rows, about `limit` (default 1,000, at most 5,000). Without a cursor, the
 * first page. Rejects with a `HarvestmanError` if the job does not exist.
 */
export function jobRows(
  http: Http,
  id: string,
  { cursor, limit }: RowsQuery = {},
  { signal }: WaitOptions = {},
): Promise<JobRows> {
  const query = new URLSearchParams({ ...(limit && { limit: String(limit) }), ...(cursor && { cursor }) })
  const path = `/v2/jobs/${encodeURIComponent(id)}/rows?${query.toString()}`
  return http.ask({ method: 'GET', path, signal, isRepeatable: true })
}

async function* explained(
  http: Http,
  id: string,
  { url, signal }: WaitOptions & { readonly url?: string | undefined } = {},
): AsyncGenerator<ExplainedUrl, void, void> {
  const path = `/v2/crawl/${encodeURIComponent(id)}/explain`
  const ask = { method: 'GET', signal, isRepeatable: true } as const
  if (url !== undefined) {
    const one = { ...ask, path: `${path}?url=${encodeURIComponent(url)}` }
    yield* (await http.ask<{ readonly data: readonly ExplainedUrl[] }>(one)).data
    return
  }
  const { body } = await http.open({ ...ask, path, timeout: streamTimeout })
  if (!body) return
  // Cast: the server writes one URL per line.
  for await (const line of readLines(body)) yield JSON.parse(line) as ExplainedUrl
}

async function* eventsOf<Document>(
  http: Http,
  path: string,
  { signal, after }: WaitOptions & { readonly after?: string } = {},
): AsyncGenerator<JobEvent<Document>, void, void> {
  let last = after
  for (;;) {
    const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
    const ask = { method: 'GET', path: `${path}/events`, headers, signal, timeout: streamTimeout } as const
    const response = await http.open({ ...ask, isRepeatable: true })
    if (response.status === 204 || !response.body) return
    try {
      for await (const { id: event, type, data } of readEvents(response.body)) {
        last = event ?? last
        yield { type, id: event, ...(JSON.parse(data) as object) } as JobEvent<Document>
        if (type === 'completed' || type === 'failed' || type === 'cancelled') return
      }
    } catch {
      signal?.throwIfAborted()
    }
    await pause(reconnectPause, signal)
  }
}

/**
 * Cancels the job at a path. Resolves to `false` if it had already ended. Rejects with a `HarvestmanError` if the job does not
 * exist.
 */
export async function cancelAt(http: Http, path: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await http.ask({ method: 'DELETE', path, signal, isRepeatable: true })
    return true
  } catch (error) {
    if (error instanceof HarvestmanError && error.status === 409) return false
    throw error
  }
}
