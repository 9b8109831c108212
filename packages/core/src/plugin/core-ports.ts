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
   * Yields the complete responses that pages in a browser received, in their order. Rejects with `not_found` if there is no such
   * record, with `scope_missing` if the call may not read its job, and with `invalid_request` if it is damaged.
   */
  responses(id: string, call: AskedBy): AsyncIterable<RecordedResponse>
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
