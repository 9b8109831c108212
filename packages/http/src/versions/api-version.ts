import type { AnyDocument, JobStatus, SearchResult } from '@harvestman/core'
import type { z } from 'zod'

import type { Schemas } from '../route/engine.ts'
import type { Settings, Version } from '../route/route.ts'

/** An API version: its requests, and the format of its responses. */
export interface ApiVersion {
  readonly version: Version
  readonly scrape: EngineRequest
  readonly crawl: EngineRequest
  readonly batch: EngineRequest
  readonly map: EngineRequest
  readonly search: SearchFormat
  readonly pagination: z.ZodType<Pagination>
  /** Converts stored documents to this version. */
  readonly pieces: (documents: readonly Uint8Array[], settings: Settings) => Promise<readonly Uint8Array[]>
  /** Converts a document that is read later, by an id. */
  readonly document: (document: AnyDocument, settings: Settings) => object
  readonly documentSchema: (schemas: Schemas) => z.ZodType
  /** Converts the document that a scrape returns. */
  readonly documentAnswer: (document: AnyDocument, settings: Settings) => object
  readonly documentAnswerSchema: (schemas: Schemas) => z.ZodType
  /** Returns the status fields that only this version has. */
  readonly more: (status: JobStatus, now: number) => object
  readonly moreSchema: z.ZodRawShape
  /** Converts a link of a map. */
  readonly link: (link: Link) => unknown
  readonly linkSchema: z.ZodType
  /** Converts the options of a running crawl. */
  readonly options: (request: Readonly<Record<string, unknown>>) => object
  /** True if responses have hints for agents. */
  readonly hasHints: boolean
  /** True if a search may ask for tools of data providers. */
  readonly asksProviders: boolean
  /** True if a WebSocket announces the end in a message as well as in the close reason. */
  readonly tellsEnd: boolean
}

/** A request that the engine carries out. */
export interface EngineRequest {
  readonly input: (schemas: Schemas) => z.ZodType
  /** True if the engine validates it with the same schema. */
  readonly engineChecks?: boolean
  toCore(input: unknown): unknown
}

/** Request and response of a search. */
export interface SearchFormat extends EngineRequest {
  readonly data: (result: SearchResult, settings: Settings) => unknown
  readonly dataSchema: z.ZodType
  /** Returns the response fields other than the results. */
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
