// Ports that parts of core may require.
import type {
  Browser,
  EngineError,
  LLM,
  Proxies,
  Search,
  Sessions,
  TrafficAnswer,
  TrafficRequest,
} from '@harvestman/ports'
import type { PageOptions } from '@harvestman/toolbox/page-options'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { AskedBy } from './admission.ts'
import type { Capability } from './parts.ts'
import { definePort, type Port } from './port.ts'

/** Port of the browser. */
export const browserPort = definePort<Browser>({
  name: 'browser',
  description: 'a browser',
  remedy: 'Pass createEngine({ browser }), such as puppeteerBrowser() of @harvestman/puppeteer.',
})

/** Port of the language model. */
export const llmPort = definePort<LLM>({
  name: 'llm',
  description: 'a language model',
  remedy: 'Pass createEngine({ llm }), such as chatLLM({ url, model }) of @harvestman/llm.',
})

/** Port of the proxies. */
export const proxiesPort = definePort<Proxies>({
  name: 'proxies',
  description: 'proxies',
  remedy: 'Pass createEngine({ proxies }), such as staticProxies({ enhanced: [url] }) of @harvestman/core.',
})

/** Port of the search. */
export const searchPort = definePort<Search>({
  name: 'search',
  description: 'a search provider',
  remedy: 'Pass createEngine({ search }), such as searxng({ endpoint }) of @harvestman/search.',
})

/** Port of live browsers, which a plugin provides. */
export const sessionsPort = definePort<Sessions>({
  name: 'sessions',
  description: 'live browsers',
  remedy: 'Add live({ sessions: puppeteerSessions() }) of @harvestman/live and @harvestman/puppeteer to plugins.',
})

/** A live browser that is open in this process. */
export interface UsableBrowser {
  /** Runs work that uses the browser, which postpones its end. The signal of the work is also aborted when the browser ends. */
  use<Result>(work: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

/** The live browsers of teams, for other features. */
export interface UsableBrowsers {
  /**
   * Finds a live browser of a team. Rejects with `not_found` if it does not exist, with `forbidden` if it belongs to another team,
   * with `session_over` if it has ended, and with `conflict` if it is in another process.
   */
  find(id: string, call: { readonly team: string }): Promise<UsableBrowser>
}

/** Port of the live browsers of teams, which a plugin provides. */
export const usableBrowsersPort = definePort<UsableBrowsers>({
  name: 'live',
  description: 'live browsers',
  remedy: 'Add live({ sessions: puppeteerSessions() }) of @harvestman/live and @harvestman/puppeteer to plugins.',
})

/** A response that a page in a browser received, from a record. The values of secrets are `redacted` in both. */
export interface RecordedResponse {
  readonly asked: TrafficRequest
  readonly answer: TrafficAnswer
}

/** The records of requests with `record: true`, for other features. */
export interface RecordedTraffic {
  /** Placeholder of secrets in records. */
  readonly redacted: string
  /**
   * Finds a record. Rejects with `not_found` if there is none, and with `scope_missing` if the call may not read its job. Reading
   * the responses rejects with `invalid_request` if the record is damaged.
   */
  find(id: string, call: AskedBy): Promise<FoundRecord>
  /** Returns the record in the bytes of a file, as `find` does. It has no options, and may contain secrets. */
  ofFile(bytes: Uint8Array): FoundRecord
}

/** A record of a request. */
export interface FoundRecord {
  /** Options of the request. Absent if they were not recorded. */
  readonly options: PageOptions | undefined
  /** Yields the complete responses that pages in a browser received, in their order, within limits of the bytes to read. */
  responses(reading: RecordReading): AsyncIterable<RecordedResponse>
}

/** Which responses of a record to read. */
export interface RecordReading {
  readonly signal: AbortSignal
  /** Returns whether to yield a response. `bytes` is the size of its body. Called before a repeated body is read. */
  accepts(headers: TrafficAnswer['headers'], bytes: number): boolean
}

/** Port of the records of requests, which a plugin provides. */
export const recordedTrafficPort = definePort<RecordedTraffic>({
  name: 'records',
  description: 'records of requests',
  remedy: 'Add records() of @harvestman/record to plugins.',
})

/** An attempt to load a page that has the option `person`. */
export interface PageAttempt {
  readonly request: ScrapeRequest
  readonly team: string
  /** Id of the scrape, or of the job that the page belongs to. */
  readonly id: string
  /** When the scrape or job started, in milliseconds since 1970. */
  readonly startedAt: number
  /** When the attempt started, in milliseconds since 1970. */
  readonly triedAt: number
}

/** A page that waits. It is loaded again when `over` settles, and uses no slot until then. */
export interface PageWait {
  readonly over: Promise<void>
}

/** Lets pages wait for something outside the engine. A wait must be stored, so that it continues after a restart. */
export interface PageWaits {
  /**
   * Called before a page is loaded. Returns the wait that it must join, if any. Rejects to fail the page; with `final: true` in
   * the details of the error, it is not tried again and its host does not count as failing.
   */
  before(attempt: PageAttempt): Promise<PageWait | undefined>
  /** Called when a page has failed. Returns a wait, after which it is loaded again, or `undefined` if it stays failed. */
  after(attempt: PageAttempt, error: EngineError): Promise<PageWait | undefined>
  /** Called when a scrape that has waited, or a job, has ended or was cancelled. Its pages wait no more. */
  ended?(work: Pick<PageAttempt, 'team' | 'id'>): Promise<void>
}

/** Port of the waits of pages with the option `person`. */
export const pageWaitsPort = definePort<PageWaits>({
  name: 'people',
  description: 'a way to ask a person',
  remedy: 'Add people() of @harvestman/live/people to plugins.',
})

/** Port to name in the error if no loader offers a capability. */
export const portOfCapability: Readonly<Record<Capability, Port>> = {
  actions: browserPort,
  capture: browserPort,
  mobile: browserPort,
  wait: browserPort,
  scripts: browserPort,
  proxy: proxiesPort,
  profile: browserPort,
}
