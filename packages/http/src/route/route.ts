import type { EndpointGroup, ErrorCode, RateGroup, TeamCall } from '@harvestman/core'
import type { Hosting } from '@harvestman/hosting'
import type { z } from 'zod'

import type { Answer, Refusal } from '../answer/answer.ts'
import type { ConfiguredKeys } from '../callers/auth.ts'
import type { ApiEngine, Schemas, ServedEngine } from './engine.ts'
import type { Watching } from '../answer/watching.ts'
import type { Talk } from '../answer/talk.ts'
import type { Packed } from '../answer/packed.ts'
import type { SentFile } from './sent-file.ts'

export type { Schemas } from './engine.ts'

/** The HTTP methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The API versions. Routes about the server itself have none. */
export type Version = 'v1' | 'v2'

/** Group of a route, for scopes, limits and sections of the docs. */
export type Group = EndpointGroup | 'admin' | 'service' | 'out of scope'

const unlimited: ReadonlySet<string> = new Set(['admin', 'service', 'out of scope'])

/** Returns whether routes of this group are subject to scopes and rate limits. */
export function isLimited(group: string): group is EndpointGroup {
  return !unlimited.has(group)
}

/**
 * One endpoint. The router, the checks, the OpenAPI document and the docs are all derived from these routes. A request's key,
 * path parameters, query and body are checked in this order, then `run` is called.
 */
export interface Route {
  readonly method: Method
  /** Path with parameters in braces. Parameters are ids unless `params` has a schema for them. */
  readonly path: `/${string}`
  readonly version: Version | undefined
  readonly group: Group
  /** The job kind that it starts or reads, under which the activity records rejected requests. */
  readonly kind?: string
  /** Group for the rate limit if it is not `group`: reading results of earlier requests is `status`. */
  readonly rate?: RateGroup
  /** One sentence for the docs. */
  readonly summary: string
  /** Served without a key. */
  readonly isOpen: boolean
  /** Served to the operator only. */
  readonly isAdmin: boolean
  /** Also served to localhost on a server without keys. */
  readonly isLocal?: boolean
  /** The engine feature that it belongs to. Without the feature, the endpoint does not exist. */
  readonly feature?: keyof Hosting
  /** Ports that the engine must have. If one is missing, the response is 503 and names it. */
  readonly needs: readonly Need[]
  /**
   * For public API endpoints that Harvestman does not have: what to use instead. The response is 501, and nothing else is read.
   */
  readonly unsupported?: string
  /** Error of an endpoint whose plugin the server does not have. Nothing else is read. */
  readonly absent?: Refusal
  /** Errors of this route, in addition to the errors that every route has. */
  readonly fails: readonly ErrorCode[]
  /** Schemas of the path parameters that are not ids. */
  readonly params?: Readonly<Record<string, z.ZodType<string>>>
  /** Schema of the JSON body, with the formats and actions of the engine. Without it no body is read. */
  readonly input?: (schemas: Schemas) => z.ZodType
  /** An example body, for the docs and the tests. */
  readonly example?: object
  /** True if the engine validates the body with this same schema, so that it is not validated twice. */
  readonly engineChecks?: boolean
  /** Limits of the JSON body that differ from the general ones: its list and object entries, and the bytes of the string in a property. */
  readonly bounds?: { readonly entries?: number; readonly properties?: ReadonlyMap<string, number> }
  /** The body is a form with a file, and with JSON that `input` describes. */
  readonly takesFile?: boolean
  /** The body is a file and nothing else. */
  readonly takesBytes?: boolean
  /** Loads one page. A request that cannot even be queued is rejected before its body is read. */
  readonly loadsPage?: boolean
  /** Rejects invalid requests before the body is read. */
  readonly beforeBody?: (call: BeforeBody) => Promise<void>
  /** Headers of every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Schema of the query string. Other parameters are ignored. */
  readonly query?: z.ZodType
  /** Request headers with an effect, for the docs. */
  readonly reads?: Readonly<Record<string, string>>
  /** Messages and statuses that differ from the defaults, as in the public API. */
  readonly words?: Words
  readonly output: (schemas: Schemas) => z.ZodType
  readonly run: (call: RouteCall) => unknown
  /** Creates the response from the result of `run`. Default: JSON. */
  answer?(value: unknown, headers: Readonly<Record<string, string>>): Answer
  /** Media types of the response, for the docs. Default: JSON. */
  readonly gives?: string | readonly string[]
  /** Alternative response format with one item per line, for the docs. */
  readonly lines?: { readonly type: string; readonly each: z.ZodType }
  /** Streams messages over a WebSocket at this path. */
  readonly watch?: (call: RouteCall) => Watching
  /** Opens a two-way WebSocket at this path. The route itself authorizes and validates the messages. */
  readonly talk?: (call: RouteCall) => Promise<Talk>
}

type BeforeBody = Pick<RouteCall, 'engine' | 'params'>

/** Name of an engine port. */
export type Need = ReturnType<ApiEngine['capabilities']>['ports'][number]

export interface Words {
  /** Message for an invalid path parameter. Default: the one for job ids. */
  readonly badId?: string
  readonly notFound?: string
  /** Message for an invalid body, which then has no code. Default: the public API's messages by problem. */
  readonly badBody?: string
  /** Prefix of the message for an invalid query parameter. */
  readonly badQuery?: string
  /** Statuses that differ from the defaults, by error. */
  readonly statuses?: Partial<Record<ErrorCode, number>>
  /** Codes that differ from the defaults, by error. */
  readonly codes?: Partial<Record<ErrorCode, string>>
  /** Messages of errors without code and details, by error. */
  readonly plain?: Partial<Record<ErrorCode, string>>
  readonly forbidden?: string
  /** True to use the message of a `not_found` error instead of the public API's fixed message. */
  readonly usesOwnMessages?: boolean
}

/** A validated request to a route. */
export interface RouteCall<Input = unknown, Query = unknown> {
  readonly engine: ServedEngine
  readonly input: Input
  readonly query: Query
  /** Only for routes that take a file. */
  readonly file?: SentFile | undefined
  readonly headers: Headers
  /** Path parameters by name; ids are in lower case. */
  readonly params: Readonly<Record<string, string>>
  readonly team: string
  /** The caller, for engine methods that start work. */
  readonly caller: EngineCaller
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** Base URL of this server as the caller sees it, before the route paths. */
  readonly at: string
  /** Base URL of stored files; the file id follows. */
  readonly filesAt: string
  readonly settings: Settings
  /** Returns the OpenAPI document of all routes. */
  readonly describe: () => Promise<Packed>
  /** Number of keys of each team in the server configuration. */
  readonly configured: readonly ConfiguredKeys[]
  /** Returns the metrics of the server; absent if there are none. */
  readonly metrics: (() => string | Promise<string>) | undefined
}

/** Caller in the form that the engine takes: its team, key, API version, and the engine's admission of this request. */
export interface EngineCaller extends Pick<TeamCall, 'key' | 'admitted'> {
  readonly team: string
  readonly scopes: TeamCall['scopes']
  readonly apiVersion?: string | undefined
}

/** Parts that are the same for all requests to a server. */
export type ServerParts = Pick<RouteCall, 'engine' | 'settings' | 'describe' | 'configured' | 'metrics'>

/** Response settings that an operator can change. */
export interface Settings {
  /** Format of `changeTracking.diff` in version 1: the plain text, or the object with `text` and `json`. */
  readonly changeTrackingDiff: 'text' | 'object'
}

type Typed = 'input' | 'query' | 'output' | 'run' | 'answer'
type Filled = 'version' | 'isOpen' | 'isAdmin' | 'needs' | 'fails'

type RowOf<Input extends z.ZodType, Output extends z.ZodType, Query extends z.ZodType> = Omit<Route, Typed | Filled> &
  Partial<Pick<Route, Exclude<Filled, 'version'>>> & {
    readonly input?: (schemas: Schemas) => Input
    readonly query?: Query
    readonly output: (schemas: Schemas) => Output
    readonly run: (call: RouteCall<z.output<Input>, z.output<Query>>) => z.input<Output> | Promise<z.input<Output>>
    readonly answer?: (value: z.input<Output>, headers: Readonly<Record<string, string>>) => Answer
  }

type AnsweredRowOf<Input extends z.ZodType, Query extends z.ZodType, Given> = Omit<
  RowOf<Input, z.ZodType, Query>,
  'run' | 'answer'
> & {
  readonly run: (call: RouteCall<z.output<Input>, z.output<Query>>) => Given | Promise<Given>
  readonly answer: (value: Given, headers: Readonly<Record<string, string>>) => Answer
}

/**
 * Creates a route and types its call by its schemas. `run` returns the input of the `output` schema, or the argument of
 * `answer`. The version is the first part of the path, if that is `v1` or `v2`. By default a route needs a key, and has no
 * ports and errors of its own.
 */
export function route<Input extends z.ZodType, Output extends z.ZodType, Query extends z.ZodType>(
  row: RowOf<Input, Output, Query>,
): Route
export function route<Input extends z.ZodType, Query extends z.ZodType, Given>(
  row: AnsweredRowOf<Input, Query, Given>,
): Route
export function route(row: RowOf<z.ZodType, z.ZodType, z.ZodType>): Route {
  const version = /^\/(v[12])\//.exec(row.path)?.[1] as Version | undefined
  return { version, isOpen: false, isAdmin: false, needs: [], fails: [], ...row }
}

/** Returns the body of a successful response: the data, with `success: true`. */
export function success<Data>(data: Data): { readonly success: true; readonly data: Data } {
  return { success: true, data }
}

/** Errors of loading a page. */
export const loadFailures = [
  'not_configured',
  'url_blocked',
  'unsafe_domain_blocked',
  'prompt_injection',
  'not_cached',
  'lockdown_miss',
  'timeout',
  'dns_failed',
  'connection_failed',
  'bad_response',
  'too_many_redirects',
  'tls_failed',
  'response_too_large',
  'page_too_complex',
  'unsupported_file',
  'loaders_failed',
  'browser_failed',
  'action_failed',
  'branding_not_supported',
  'format_failed',
  'model_unavailable',
  'model_failed',
] as const satisfies readonly ErrorCode[]
