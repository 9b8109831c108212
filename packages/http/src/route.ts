import type { z } from 'zod'

import type { ApiEngine } from './engine.ts'

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
  readonly output: (schemas: Schemas) => z.ZodType
  readonly run: (call: RouteCall) => unknown
}

export type Schemas = ApiEngine['schemas']

export interface RouteCall<Input = unknown> {
  readonly engine: ApiEngine
  readonly input: Input
  /** The parameters of the path, by name. */
  readonly ids: Readonly<Record<string, string>>
  readonly team: string
  /** Aborted when whoever asked has gone. */
  readonly signal: AbortSignal
  readonly settings: Settings
  /** The OpenAPI document of all rows. */
  readonly describe: () => object
}

/** What an operator can change about answers. */
export interface Settings {
  /** What `changeTracking.diff` is in version 1: the plain text, or the object with `text` and `json`. */
  readonly changeTrackingDiff: 'text' | 'object'
}

type RowOf<Input extends z.ZodType, Output extends z.ZodType> = Omit<Route, 'input' | 'output' | 'run'> & {
  readonly input?: (schemas: Schemas) => Input
  readonly output: (schemas: Schemas) => Output
  readonly run: (call: RouteCall<z.output<Input>>) => z.input<Output> | Promise<z.input<Output>>
}

/** Types the call of a row by its schemas. */
export function route<Input extends z.ZodType, Output extends z.ZodType>(row: RowOf<Input, Output>): Route {
  return row as Route
}

/** The body of an answer that gives something. */
export function success<Data>(data: Data): { readonly success: true; readonly data: Data } {
  return { success: true, data }
}
