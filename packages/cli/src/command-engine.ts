// What commands ask of an engine: of one in this process, or of a server elsewhere.
import type {
  AnyDocument,
  ExplainedAddress,
  Job,
  JobListPage,
  JobQuery,
  PageDiff,
  PageHistory,
  PartStatus,
} from '@harvestman/core'
import type { EndpointRequest, Preview } from '@harvestman/core/plugin'

/** Options of one call. */
export interface CommandCall {
  readonly signal?: AbortSignal
}

/** A job of many pages, as commands follow it. */
export type CommandJob = Pick<Job, 'id' | 'kind' | 'status' | 'events' | 'errors' | 'cancel'>

/** A job with one answer. */
export interface CommandAnswer {
  readonly id: string
  status(): Promise<PartStatus>
}

/** The addresses of a site. */
interface Links {
  readonly links: readonly { readonly url: string }[]
  readonly warning?: string
}

/** Results of a search, by source. */
interface Found {
  readonly web?: readonly FoundOne[]
  readonly news?: readonly FoundOne[]
  readonly images?: readonly FoundOne[]
  readonly warning?: string
}

/** A result of a search; what else it has depends on its source. */
export interface FoundOne {
  readonly url: string
  readonly title: string
  readonly description?: string
  readonly snippet?: string
  readonly imageUrl?: string
  readonly markdown?: unknown
}

/** A page whose versions are kept. */
export interface CommandPage {
  readonly url: string
  readonly tag?: string
}

/** A monitor, as commands show it. */
export interface CommandMonitor {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'paused'
  readonly nextRunAt: string | null
  readonly lastCheckSummary: CommandCheck['summary'] | null
}

/** A check of a monitor, with some of its pages. */
export interface CommandCheck {
  readonly id: string
  readonly status: string
  readonly error: string | null
  readonly summary: {
    readonly totalPages: number
    readonly changed: number
    readonly new: number
    readonly removed: number
    readonly error: number
  }
  readonly pages: readonly {
    readonly url: string
    readonly status: string
    readonly error: string | null
    readonly diff: { readonly text?: string | undefined } | null
  }[]
}

/** Which part of a list is read. */
interface Range {
  readonly limit: number
  readonly offset?: number
}

interface CommandMonitors {
  create(monitor: object): Promise<CommandMonitor>
  list(range: Range): Promise<readonly CommandMonitor[]>
  run(id: string): Promise<{ readonly id: string }>
  pause(id: string): Promise<unknown>
  resume(id: string): Promise<unknown>
  delete(id: string): Promise<unknown>
  checks(id: string, range: Range): Promise<readonly { readonly id: string }[]>
  check(id: string, check: string, range: { readonly limit: number; readonly skip?: number }): Promise<CommandCheck>
}

/** A feature, as commands call its endpoints. */
export interface CommandFeature {
  invoke(endpoint: string, request: EndpointRequest): Promise<unknown>
}

/** The part of an engine that commands use. */
export interface CommandEngine {
  readonly unchecked: {
    scrape(request: object, call?: CommandCall): Promise<AnyDocument>
    parse(bytes: Uint8Array, request: object, call?: CommandCall): Promise<AnyDocument>
    map(request: object, call?: CommandCall): Promise<Links>
    search(request: object, call?: CommandCall): Promise<Found>
    crawl(request: object): Promise<CommandJob>
    batch(request: object): Promise<CommandJob & { readonly invalidURLs?: readonly string[] }>
    start(kind: string, request: object): Promise<CommandAnswer>
    find(kind: string, id: string): Promise<CommandAnswer>
  }
  readonly jobs: {
    find(id: string): Promise<CommandJob>
    findCrawl(
      id: string,
    ): Promise<{ explain(options?: { readonly url?: string | undefined }): AsyncIterable<ExplainedAddress> }>
    list(query: JobQuery): Promise<JobListPage>
  }
  readonly changes: {
    history(page: CommandPage): Promise<PageHistory>
    diff(page: CommandPage & { readonly from?: number; readonly to?: number }): Promise<PageDiff>
  }
  readonly monitors: CommandMonitors
  /** Features with endpoints, by name. */
  readonly features: Readonly<Record<string, CommandFeature>>
  preview(kind: string, request: object): Preview | Promise<Preview>
}
