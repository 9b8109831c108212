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

/** The two vocabularies of the API. Rows without one are about the server. */
export type Version = 'v1' | 'v2'

/** Group of a row. Limits and keys can be given by group; the docs have a part for each. */
export type Group = EndpointGroup | 'admin' | 'service' | 'out of scope'

const unlimited: ReadonlySet<string> = new Set(['admin', 'service', 'out of scope'])

/** Returns whether rows of this group are held to scopes and rates. */
export function isLimited(group: string): group is EndpointGroup {
  return !unlimited.has(group)
}

/**
 * One endpoint. The router, the checks, the OpenAPI document and the docs are all read from these rows. What happens to a
 * request: its key, its parameters, its body and its schema are checked, in this order, and then `run` is called.
 */
export interface Route {
  readonly method: Method
  /** Parameters in braces; each is an id, if `params` does not say otherwise. */
  readonly path: `/${string}`
  readonly version: Version | undefined
  readonly group: Group
  /** The kind of job that it is about: what is refused here is in the activity as that. */
  readonly kind?: string
  /** Group for the rate limit, where it is not `group`: asking about what was begun is `status`. */
  readonly rate?: RateGroup
  /** A sentence for the docs. */
  readonly summary: string
  /** Answered without a key. */
  readonly isOpen: boolean
  /** Answered to the operator alone. */
  readonly isAdmin: boolean
  /** Answered to this machine as well, on a server without keys. */
  readonly isLocal?: boolean
  /** The feature of the engine that it is about. An engine without it has no such endpoint. */
  readonly feature?: keyof Hosting
  /** Ports that the engine must have; without one the answer is 503, and names it. */
  readonly needs: readonly Need[]
  /** The public API has this, and Harvestman does not: what to do instead. It answers 501, and nothing else is read. */
  readonly unsupported?: string
  /** The refusal of an endpoint of a plugin that the server does not have. Nothing else is read. */
  readonly absent?: Refusal
  /** Errors of this row, beside those that can happen everywhere. */
  readonly fails: readonly ErrorCode[]
  /** Schemas of the parameters of the path that are not ids. */
  readonly params?: Readonly<Record<string, z.ZodType<string>>>
  /** Schema of the JSON body, with the formats and actions of an engine; a row without one reads no body. */
  readonly input?: (schemas: Schemas) => z.ZodType
  /** A body that shows what is asked for; the docs have it, and the tests send it. */
  readonly example?: object
  /** The engine checks the body with this very schema: doing so here as well would double the work. */
  readonly engineChecks?: boolean
  /** Entries of lists and objects that the body may have, where the default limit is too low. */
  readonly maxEntries?: number
  /** The body is a form: a file, and JSON beside it which `input` describes. */
  readonly takesFile?: boolean
  /** The body is a file and nothing else. */
  readonly takesBytes?: boolean
  /** Loads one page: a request that could not even wait for a place is refused before its body is read. */
  readonly loadsPage?: boolean
  /** Rejects what may not be asked here, before the body is read. */
  readonly beforeBody?: (call: BeforeBody) => Promise<void>
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Schema of the query string. Other parameters are ignored. */
  readonly query?: z.ZodType
  /** Headers that change what is done, for the docs. */
  readonly reads?: Readonly<Record<string, string>>
  /** Words of the public API for this row, where they differ from those elsewhere. */
  readonly words?: Words
  readonly output: (schemas: Schemas) => z.ZodType
  readonly run: (call: RouteCall) => unknown
  /** Makes the answer from the result of `run`; JSON when absent. */
  answer?(value: unknown, headers: Readonly<Record<string, string>>): Answer
  /** The media type of the answer, for the docs; JSON when absent. */
  readonly gives?: string
  /** Alternative answer, for the docs: a line for each of many things. */
  readonly lines?: { readonly type: string; readonly each: z.ZodType }
  /** Messages over a WebSocket that is opened at this address. */
  readonly watch?: (call: RouteCall) => Watching
  /** A WebSocket at this address that both sides speak on. What may be said on it is for the row to check. */
  readonly talk?: (call: RouteCall) => Promise<Talk>
}

type BeforeBody = Pick<RouteCall, 'engine' | 'params'>

/** Name of a port that an engine can be given. */
export type Need = ReturnType<ApiEngine['capabilities']>['ports'][number]

export interface Words {
  /** The sentence about a path that is not right; absent, it is the one about the id of a job. */
  readonly badId?: string
  readonly notFound?: string
  /** Text before the sentence about a parameter that is not right. */
  readonly badQuery?: string
  /** Statuses of the public API that are others here than elsewhere. */
  readonly statuses?: Partial<Record<ErrorCode, number>>
  /** The same for codes. */
  readonly codes?: Partial<Record<ErrorCode, string>>
  readonly forbidden?: string
  /** True to use the message of the error itself, where the public API has a sentence for all. */
  readonly usesOwnMessages?: boolean
}

/** A request to a row of the API, checked. */
export interface RouteCall<Input = unknown, Query = unknown> {
  readonly engine: ServedEngine
  readonly input: Input
  readonly query: Query
  /** There for rows that take one. */
  readonly file?: SentFile | undefined
  readonly headers: Headers
  /** The parameters of the path, by name; ids as the engine writes them. */
  readonly params: Readonly<Record<string, string>>
  readonly team: string
  /** The caller, for the doors of the engine that begin something. */
  readonly asker: Asker
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  /** The address of this server, as the caller reaches it: what stands before the paths of the table. */
  readonly at: string
  /** The address before the ids of files, as the caller reaches this server. */
  readonly filesAt: string
  readonly settings: Settings
  /** The OpenAPI document of all rows. */
  readonly describe: () => Promise<Packed>
  /** The keys that stand in the configuration of the server. */
  readonly configured: readonly ConfiguredKeys[]
  /** Returns what the server counts; absent when it counts nothing. */
  readonly metrics: (() => string | Promise<string>) | undefined
}

/** Caller of the engine: its team, the API version, and the engine's answer when it let the request in. */
export interface Asker extends Pick<TeamCall, 'key' | 'admitted'> {
  readonly team: string
  readonly scopes: TeamCall['scopes']
  readonly apiVersion?: string | undefined
}

/** Parts that are the same for every request of a server. */
export type ServerParts = Pick<RouteCall, 'engine' | 'settings' | 'describe' | 'configured' | 'metrics'>

/** Settings of answers that an operator can change. */
export interface Settings {
  /** Form of `changeTracking.diff` in version 1: the plain text, or the object with `text` and `json`. */
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
 * Makes a row, and types its call by its schemas: it gives what its output says, or what its own `answer` takes. Its version
 * is the first part of its path.
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

/** The body of an answer that gives something. */
export function success<Data>(data: Data): { readonly success: true; readonly data: Data } {
  return { success: true, data }
}

/** Errors of loading a page. */
export const loadFailures = [
  'not_configured',
  'url_blocked',
  'not_cached',
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
  'format_failed',
  'model_unavailable',
  'model_failed',
] as const satisfies readonly ErrorCode[]
