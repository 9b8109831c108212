// Request and result types of a server, inferred from its engine. Types only: no engine code is imported.
import type { Kind } from './kind.ts'
import type { ParseRequest, ScrapeRequest, SearchRequest } from './requests.ts'
import type { BatchRequest, CrawlRequest, Document } from './types.ts'

/** The engine methods from which types are inferred. `typeof engine` has them, including the plugins' options. */
export interface TypedEngine {
  scrape(request: never, call?: never): Promise<object>
  parse(bytes: never, request?: never, call?: never): Promise<object>
  search(request: never, call?: never): Promise<object>
  crawl(request: never, call?: never): Promise<object>
  batch(request: never, call?: never): Promise<object>
  start(kind: never, request: never, call?: never): Promise<object>
}

/** Requests, documents and job kinds of a server. */
export interface Shapes {
  readonly scrape: unknown
  readonly parse: unknown
  readonly search: unknown
  readonly crawl: unknown
  readonly batch: unknown
  readonly document: object
  readonly kind: Kind
}

/** Types of `harvestman serve`. A custom server may lack formats of packages that it does not include. */
export interface OwnShapes extends Shapes {
  readonly scrape: ScrapeRequest
  readonly parse: ParseRequest
  readonly search: SearchRequest
  readonly crawl: CrawlRequest
  readonly batch: BatchRequest
  readonly document: Document
}

/**
 * Types of the server of an engine. If a list of formats is not known at compile time, every field is optional. With `typeof
 * engine.unchecked` requests are only checked by the server.
 */
export interface ShapesOf<Engine extends TypedEngine> extends Shapes {
  readonly scrape: First<Engine['scrape']>
  readonly parse: Second<Engine['parse']>
  readonly search: First<Engine['search']>
  readonly crawl: First<Engine['crawl']>
  readonly batch: First<Engine['batch']>
  readonly document: Awaited<ReturnType<Engine['scrape']>>
  readonly kind: KindIn<Engine['start']>
}

type First<Method> = Method extends (first: infer Given, ...rest: never) => unknown ? Given : never

type KindIn<Start> = Start extends (first: infer Given, ...rest: never) => unknown
  ? string extends Given
    ? Kind
    : Extract<Given, Kind>
  : never

type Second<Method> = Method extends (first: never, second?: infer Given, ...rest: never) => unknown
  ? unknown extends Given
    ? unknown
    : NonNullable<Given> & object
  : never
