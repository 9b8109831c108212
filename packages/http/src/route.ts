import type { z } from 'zod'

import type { Answer } from './answer.ts'
import type { ApiEngine, Schemas } from './engine.ts'
import type { Watching } from './jobs/watch.ts'

export type { Schemas } from './engine.ts'

/** One endpoint. Dispatch, checks, the OpenAPI document and the list of endpoints in the docs are read from these rows. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters in braces; each is the id of a job. */
  readonly path: `/${string}`
  /** A sentence for the docs. */
  readonly summary: string
  /** Answered without a key. */
  readonly isOpen?: boolean
  /** What the JSON body is, with the formats and actions of an engine; a row without one reads no body. */
  readonly input?: (schemas: Schemas) => z.ZodType
  /** The engine checks the body with this very schema: doing so here as well would double the work. */
  readonly engineChecks?: boolean
  /** What may stand after the `?`. Other parameters are let be. */
  readonly query?: z.ZodType
  /** Headers that change what is done, for the docs. */
  readonly reads?: Readonly<Record<string, string>>
  /** What the public API says here, where it says it otherwise than elsewhere. */
  readonly words?: Words
  readonly output: (schemas: Schemas) => z.ZodType
  readonly run: (call: RouteCall) => unknown
  /** How what `run` gives is answered; as JSON when absent. */
  readonly answer?: (value: never, headers: Readonly<Record<string, string>>) => Answer
  /** The media type of the answer, for the docs; JSON when absent. */
  readonly gives?: string
  /** What may be given instead, for the docs: a line for each of many things. */
  readonly lines?: { readonly type: string; readonly each: z.ZodType }
  /** What is told over a WebSocket that is opened at this address. */
  readonly watch?: (call: RouteCall) => Watching
}

export interface Words {
  readonly badId?: string
  readonly notFound?: string
  /** What stands before the sentence about a parameter that is not right. */
  readonly badQuery?: string
}

export interface RouteCall<Input = unknown, Query = unknown> {
  readonly engine: ApiEngine
  readonly input: Input
  readonly query: Query
  readonly headers: Headers
  /** The parameters of the path, by name. */
  readonly ids: Readonly<Record<string, string>>
  readonly team: string
  /** Aborted when whoever asked has gone. */
  readonly signal: AbortSignal
  /** The origin of this server, as whoever asks reaches it. */
  readonly at: string
  /** The address before the ids of files, as whoever asks reaches this server. */
  readonly filesAt: string
  readonly settings: Settings
  /** The OpenAPI document of all rows. */
  readonly describe: () => object
}

/** What an operator can change about answers. */
export interface Settings {
  /** What `changeTracking.diff` is in version 1: the plain text, or the object with `text` and `json`. */
  readonly changeTrackingDiff: 'text' | 'object'
}

type RowOf<Input extends z.ZodType, Output extends z.ZodType, Query extends z.ZodType> = Omit<
  Route,
  'input' | 'query' | 'output' | 'run'
> & {
  readonly input?: (schemas: Schemas) => Input
  readonly query?: Query
  readonly output: (schemas: Schemas) => Output
  readonly run: (call: RouteCall<z.output<Input>, z.output<Query>>) => z.input<Output> | Promise<z.input<Output>>
}

/** Types the call of a row by its schemas. */
export function route<Input extends z.ZodType, Output extends z.ZodType, Query extends z.ZodType>(
  row: RowOf<Input, Output, Query>,
): Route {
  return row as Route
}

/** The body of an answer that gives something. */
export function success<Data>(data: Data): { readonly success: true; readonly data: Data } {
  return { success: true, data }
}
