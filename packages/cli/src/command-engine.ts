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
  /** Features with endpoints, by name. */
  readonly features: Readonly<Record<string, CommandFeature>>
  preview(kind: string, request: object): Preview | Promise<Preview>
}
