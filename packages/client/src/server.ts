// Types of what a server takes and gives, read from the engine that it runs. Only types: nothing of an engine is imported.
import type { Kind } from './kind.ts'
import type { ParseRequest, ScrapeRequest, SearchRequest } from './requests.ts'
import type { BatchRequest, CrawlRequest, Document } from './types.ts'

/** The methods of an engine that types are read from. `typeof engine` has them, with the plugins that it was given. */
export interface TypedEngine {
  scrape(request: never, call?: never): Promise<object>
  parse(bytes: never, request?: never, call?: never): Promise<object>
  search(request: never, call?: never): Promise<object>
  crawl(request: never, call?: never): Promise<object>
  batch(request: never, call?: never): Promise<object>
  start(kind: never, request: never, call?: never): Promise<object>
}

/** What a server takes and gives: its requests, its documents, and the kinds of jobs of its plugins. */
export interface Shapes {
  readonly scrape: unknown
  readonly parse: unknown
  readonly search: unknown
  readonly crawl: unknown
  readonly batch: unknown
  readonly document: object
  readonly kind: Kind
}

/** What `harvestman serve` takes and gives. A server of your own may lack formats of packages that it leaves out. */
export interface OwnShapes extends Shapes {
  readonly scrape: ScrapeRequest
  readonly parse: ParseRequest
  readonly search: SearchRequest
  readonly crawl: CrawlRequest
  readonly batch: BatchRequest
  readonly document: Document
}

/**
 * What the server of an engine takes and gives. Lists of formats that are not known yet give every field, if it is there. With
 * `typeof engine.unchecked` only the server checks requests.
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
