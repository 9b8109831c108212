import type { AnyDocument, JobStatus, SearchResult } from '@harvestman/core'
import type { z } from 'zod'

import type { Schemas } from '../route/engine.ts'
import type { Settings, Version } from '../route/route.ts'

/** Vocabulary of one version of the API: its requests, and the form of its answers. */
export interface Voice {
  readonly version: Version
  readonly scrape: Ask
  readonly crawl: Ask
  readonly batch: Ask
  readonly map: Ask
  readonly search: SearchWords
  readonly pagination: z.ZodType<Pagination>
  /** Documents as they are kept, in the words of this version. */
  readonly pieces: (documents: readonly Uint8Array[], settings: Settings) => Promise<readonly Uint8Array[]>
  /** A document that is given later, by an id. */
  readonly document: (document: AnyDocument, settings: Settings) => object
  readonly documentSchema: (schemas: Schemas) => z.ZodType
  /** The document that answers a scrape. */
  readonly documentAnswer: (document: AnyDocument, settings: Settings) => object
  readonly documentAnswerSchema: (schemas: Schemas) => z.ZodType
  /** Makes the fields of a status beside those that every version has. */
  readonly more: (status: JobStatus, now: number) => object
  readonly moreSchema: z.ZodRawShape
  /** A link of a map. */
  readonly link: (link: Link) => unknown
  readonly linkSchema: z.ZodType
  /** The options of a crawl that runs. */
  readonly options: (request: Readonly<Record<string, unknown>>) => object
  /** True when a WebSocket tells the end in a message as well as in the reason for closing. */
  readonly tellsEnd: boolean
}

/** A request that an engine carries out. */
export interface Ask {
  readonly input: (schemas: Schemas) => z.ZodType
  /** The engine checks it with the same schema. */
  readonly engineChecks?: boolean
  toCore(input: unknown): unknown
}

/** Request and answer of a search. */
export interface SearchWords extends Ask {
  readonly data: (result: SearchResult, settings: Settings) => unknown
  readonly dataSchema: z.ZodType
  /** Makes the fields beside the results. */
  readonly more: (result: SearchResult) => object
  readonly moreSchema: z.ZodRawShape
}

export interface Pagination {
  readonly skip?: number | undefined
  readonly limit?: number | undefined
}

export interface Link {
  readonly url: string
  readonly title?: string
  readonly description?: string
}
