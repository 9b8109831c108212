// Kinds of jobs as a part of a plugin: request, result, price and how the work is done. HTTP routes, CLI commands, MCP tools,
// client methods and pages of the web UI are generated from these definitions alone.
import { z } from 'zod'

import { EngineError, type Clock, type Json } from '@harvestman/ports'
import { checkDefinition } from './definition.ts'
import { jobShape } from './shapes.ts'
import type { PageOptionsSchema } from '../schema/page-options.ts'
import type { PartOptions, LoadOptions, LoadedPage, SearchOptions, WebHit } from './job-pages.ts'
import type { JobVisits, PageValue, VisitOutcome } from './job-pages.ts'
import type { Port, PortMap, ServicesOf } from './port.ts'
import type { Preview } from './price.ts'

/** A kind of job with erased types, as the engine uses it. Created by `defineJob`. */
export interface JobPart<
  Kind extends string = string,
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Progress extends z.ZodObject = z.ZodObject,
  Fits extends AnswerFits | undefined = AnswerFits | undefined,
> {
  readonly kind: Kind
  readonly title: string
  readonly description: string
  readonly request: Request
  /** Builds the request schema from the engine's page options; `undefined` if `request` was given as a schema. */
  readonly requestWith: ((page: PageOptionsSchema) => Request) | undefined
  readonly answer: Answer
  readonly example: object
  readonly about: string
  readonly requires: PortMap
  readonly uses: PortMap
  readonly answerFits: Fits
  readonly progress: ProgressDefinition<Progress, unknown> | undefined
  readonly webhookPayloads: WebhookPayloads
  readonly endpoints: readonly JobEndpoint[]
  readonly command: JobCommand | undefined
  readonly way: JobWay
  price(request: unknown, kit: PriceKit): Preview
  requiresFor(request: unknown): readonly RequiredPort[]
  holds: ((request: unknown) => number) | undefined
  target: ((request: unknown) => string) | undefined
  instead: ((request: unknown) => OtherJob | undefined) | undefined
  readonly threads: JobThreads | undefined
}

/** Thread support of a kind, whose jobs may continue earlier ones. Only for kinds with `run`. */
export interface JobThreads<Request = unknown, Step = unknown> {
  /** Option of the request with the id of the thread to continue. Without it, a job begins a new thread. */
  readonly option: string
  /** Returns the full request of a turn. `given` is the caller's request, `last` the request of the previous turn. */
  inherit(given: Readonly<Record<string, unknown>>, last: Request): unknown
  /** Returns the first step of a turn. It is stored before the work starts. */
  begin(turn: ThreadTurn<Request>): Step
}

/** A turn that begins. */
export interface ThreadTurn<Request = unknown> {
  readonly thread: string
  /** Number of the turn, from 1. */
  readonly turn: number
  /** Earlier turns whose jobs have not expired, oldest first, at most 20. */
  readonly earlier: readonly StatusOfPart<unknown, object, Request>[]
}

/** A job of another kind that fulfills the same request. */
export interface OtherJob {
  readonly kind: string
  readonly request: unknown
}

/** How a job does its work: one function, or visits to pages. */
export type JobWay =
  | { readonly is: 'work'; run(request: unknown, work: JobWork): Promise<unknown> }
  | ({ readonly is: 'visits' } & JobVisits)

/** A port that some requests of a kind require, with the error message for when it is missing. */
export interface RequiredPort {
  readonly port: Port
  /** Text before "needs": `An agent without urls`. */
  readonly because: string
  /** Remedy to name in the error: `give urls`. */
  readonly or?: string
}

/** Payloads of webhook events of a job, where they differ from the default payloads. */
export interface WebhookPayloads<Step = unknown, Answer = unknown> {
  /** Payload of the event for a stored step; `undefined` sends no event. */
  step?(step: Step): Json | undefined
  /** Payload of the event for a completed job. Default: the result of the job. */
  answer?(answer: Answer, job: EndedJob): Json | Promise<Json>
  /** Payload of the final event of a job that has no result. */
  readonly noAnswer?: Json
}

/** A job that has ended, for its webhook payload. */
export interface EndedJob {
  readonly id: string
  readonly creditsUsed: number
  /** Pages of a job that visits pages. */
  pages(): Promise<readonly PageValue[]>
}

/** Paths to a JSON Schema in the request and to the value in the result that conforms to it. */
export interface AnswerFits {
  /** Path of the option, separated by dots: `schema`, `jsonOptions.schema`. */
  readonly schema: string
  /** Property of the result. Default: the complete result. */
  readonly under?: string
}

/** Progress that a status contains in addition to the result, derived from the stored steps or pages of the job. */
export interface ProgressDefinition<Schema extends z.ZodObject = z.ZodObject, Kept = KeptStep> {
  readonly schema: Schema
  /**
   * Computes the progress. `kept` has all steps so far; for a job that visits pages, it is empty until the job has ended. The
   * progress of a job that has ended is cached as JSON.
   */
  of(kept: readonly Kept[], request: unknown, status: AnswerStatus<unknown>): z.input<Schema>
  /** Formats the progress as lines for the console. */
  lines?(progress: NoInfer<z.output<Schema>>): readonly string[]
}

/** A stored step of a job, with its time in milliseconds since 1970. */
export interface KeptStep<Step = unknown> {
  readonly at: number
  readonly step: Step
}

/** Functions for computing a price. */
export interface PriceKit {
  /** Price of a page with these scrape options. Default: Markdown only. */
  page(options?: Readonly<Record<string, unknown>>): Preview
  /** Returns whether the engine has the port with this name in `requires` or `uses`. */
  has(port: string): boolean
}

/** Context of a running job. After a crash another worker continues the job, starting with the stored `steps`. */
export interface JobWork<Step = unknown, Services = unknown> {
  readonly steps: readonly KeptStep<Step>[]
  /** Credits spent so far. */
  readonly spent: number
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Services of the ports in `requires`, and of the ports in `uses` that the engine has. */
  readonly ports: Services
  /** Stores steps. Resolves once they are persisted. */
  keep(...steps: readonly Step[]): Promise<void>
  scrape(url: string, options?: LoadOptions): Promise<LoadedPage>
  search(words: string, limit: number, options?: SearchOptions): Promise<readonly WebHit[]>
  /** Lists URLs of a site. The best matches for `words` come first. */
  map(
    url: string,
    limit: number,
    options?: PartOptions & { readonly words?: string | undefined },
  ): Promise<readonly WebHit[]>
  /** Runs an operation with a price of its own: reserves `most` credits, then charges `price(result)`. */
  pay<Result>(most: number, price: (result: Result) => number, work: () => Promise<Result>): Promise<Result>
}

/**
 * An additional endpoint shape of a kind in the HTTP API, for clients of another API. At the kind's own path it replaces the
 * default shape.
 */
export interface JobEndpoint<Status = unknown> {
  /** Path that starts a job. `GET {path}/{id}` returns its state, and `DELETE {path}/{id}` cancels it if `ends` is set. */
  readonly path: `/${string}`
  /** Schema of the start body. Default: the request schema of the kind. The request made from it is checked in any case. */
  input?(): z.ZodType
  /** Converts the body to a request of the kind. Default: the body is the request. */
  toRequest?(body: unknown): unknown
  /** Fields of the start response in addition to `id`. */
  readonly started?: { readonly schema: z.ZodObject; toBody(body: unknown, job: StartedJob): object }
  /** Marks the path as deprecated in response headers and bodies, with the path that replaces it. */
  readonly deprecated?: { readonly sentence: string; readonly successor?: `/${string}` }
  /** Other kinds whose jobs can be read at this path as well. */
  readonly also?: readonly string[]
  readonly example?: object
  /** Schema of the state; `say` converts the status of a job to it. */
  readonly state: z.ZodType
  toBody(status: Status): unknown
  /**
   * Enables `DELETE`, which responds with 409 for a job that has ended. A function returns the message of that response.
   * Default: `once` at the kind's own path, no `DELETE` at others.
   */
  readonly ends?: 'once' | ((status: string) => string)
  /** Enables `GET {path}`, which lists the jobs of the last 24 hours, 20 per response. */
  readonly list?: { readonly name: string; readonly row: z.ZodObject; toBody(status: Status): object }
  /** Enables `GET {path}/threads/{threadId}`, for a kind with `threads`. */
  readonly thread?: JobThreadEndpoint<Status>
  /** Other views of a job below its id, such as its trace. */
  readonly views?: readonly JobEndpointView<Status>[]
  readonly messages: { readonly notFound: string; readonly cancelled?: string }
}

/** A view of a job below its id, served by `GET`. */
export interface JobEndpointView<Status = unknown> {
  /** Path below the job, such as `/trace`. May have parameters in braces. */
  readonly path: `/${string}`
  readonly summary: string
  /** Schemas of its path parameters. */
  readonly params?: Readonly<Record<string, z.ZodType<string>>>
  readonly query?: z.ZodObject
  readonly messages?: { readonly badId?: string; readonly notFound?: string }
  /** Fields of the response in addition to `success`. */
  readonly schema: z.ZodObject
  /** Returns the fields, or `undefined` if the parameters name nothing. */
  toBody(status: Status, given: JobEndpointViewCall): object | undefined
}

/** Validated parameters of a view. */
export interface JobEndpointViewCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
}

/** Response format of a thread. */
export interface JobThreadEndpoint<Status = unknown> {
  readonly schema: z.ZodType
  toBody(thread: JobThread<Status>, options: { readonly includeData: boolean }): unknown
}

/** A thread with the jobs of its turns. Expired jobs are absent. */
export interface JobThread<Status = unknown> {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly runs: readonly { readonly turn: number; readonly finishedAt: string | null; readonly status: Status }[]
}

/** A job that was started, for the response. */
export interface StartedJob {
  readonly id: string
  /** Its thread and the number of the turn, for kinds with `threads`. */
  readonly thread?: { readonly id: string; readonly turn: number }
}

/** Settings of a kind's CLI command, where they differ from the defaults. */
export interface JobCommand {
  /** Name of the command. Default: the kind. */
  readonly name?: string
  /** Converts the values of arguments and flags to a request. */
  read?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /**
   * Flags by option, optionally with a one-letter flag: `-l, --limit`. Nested options are given as a path
   * (`jsonOptions.schema`). Default: derived from the names of the options.
   */
  readonly flags?: Readonly<Record<string, string>>
  /** Option that receives the arguments after the first. */
  readonly more?: string
  /** Examples in the help: the part of the line after the name of the command. */
  readonly examples?: readonly string[]
  /** Formats the result for people. Default: JSON. */
  print?(answer: unknown, request: unknown): string
}

/** Status of a job. */
export interface AnswerStatus<Data = Json> {
  readonly id: string
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  /** Result; present if `status` is `completed`. */
  readonly data?: Data
  /** Why the job failed. */
  readonly error?: string
  /** Warning about a completed job. */
  readonly warning?: string
  readonly creditsUsed: number
  readonly createdAt: string
  /** When the job ended. */
  readonly finishedAt?: string
  readonly expiresAt: string
}

/** Status of a job, with its progress and its request. */
export type StatusOfPart<Answer, Progress = object, Request = unknown> = AnswerStatus<Answer> &
  Progress & { readonly request: Request }

interface JobBase<
  Kind extends string,
  Request extends z.ZodType,
  Answer extends z.ZodType,
  Requires extends PortMap,
  Uses extends PortMap,
  Progress extends z.ZodObject,
  Fits extends AnswerFits | undefined,
  Kept,
> {
  /** Identifies the kind in the log, in paths and in lists. Never change it: stored jobs are found by it. */
  readonly kind: Kind
  /** Title for people. Default: the kind. */
  readonly title?: string
  /** One sentence that describes the job: summary of the route, help of the command, description of the tool. */
  readonly description: string
  /**
   * Schema of the request. Spread `...jobOptions` into it for the options that core implements: `maxCredits`, `webhook`,
   * `record` and `threatProtection`.
   */
  readonly request: Request | ((page: PageOptionsSchema) => Request)
  /** Schema of the result. A string whose meta has `contentMediaType: 'text/markdown'` is shown as Markdown. */
  readonly answer: Answer
  /** Example request for the docs. */
  readonly example: z.input<Request> & object
  /** Option shown in lists as the subject of a job: a URL or a query. It is also the argument of the command. */
  readonly about: Extract<keyof z.output<Request>, string>
  /** Required ports. A job cannot start without them. */
  readonly requires?: Requires
  /** Optional ports. */
  readonly uses?: Uses
  /** Ports that are required only by some requests. */
  requiresFor?(request: z.output<Request>): readonly RequiredPort[]
  /** Returns the subject of a job for lists. Default: the value of the option `about`. */
  target?(request: z.output<Request>): string
  /** Credits that must be available before the job starts. Default: its minimum price. */
  holds?(request: z.output<Request>): number
  readonly answerFits?: Fits
  readonly progress?: ProgressDefinition<Progress, Kept>
  /** Redirects a request to another kind. That kind's job is started instead. */
  instead?(request: z.output<Request>): OtherJob | undefined
  readonly threads?: JobThreads<z.output<Request>>
  readonly endpoints?: readonly JobEndpoint<StatusOfPart<z.output<Answer>, z.output<Progress>, z.output<Request>>>[]
  readonly command?: Omit<JobCommand, 'print'> & {
    print?(answer: z.output<Answer>, request: z.output<Request>): string
  }
  /** Computes the price of a request before any work. */
  price(request: z.output<Request>, kit: PriceKit): Preview
}

type Services<Requires extends PortMap, Uses extends PortMap> = ServicesOf<Requires> & {
  readonly [Name in keyof Uses]: ServicesOf<Uses>[Name] | undefined
}

/** Input of `defineJob` for a kind that runs one function. */
export interface WorkInput<
  Kind extends string,
  Request extends z.ZodType,
  Answer extends z.ZodType,
  Requires extends PortMap,
  Uses extends PortMap,
  Progress extends z.ZodObject,
  Fits extends AnswerFits | undefined,
  Step,
> extends JobBase<Kind, Request, Answer, Requires, Uses, Progress, Fits, KeptStep> {
  readonly webhookPayloads?: WebhookPayloads<Step, z.output<Answer>>
  run(request: z.output<Request>, work: JobWork<Step, Services<Requires, Uses>>): Promise<z.input<Answer>>
}

/** Input of `defineJob` for a kind that visits pages. */
export interface VisitsInput<
  Kind extends string,
  Request extends z.ZodType,
  Answer extends z.ZodType,
  Requires extends PortMap,
  Uses extends PortMap,
  Progress extends z.ZodObject,
  Fits extends AnswerFits | undefined,
  Value,
> extends JobBase<Kind, Request, Answer, Requires, Uses, Progress, Fits, VisitOutcome<Value>> {
  readonly webhookPayloads?: Pick<WebhookPayloads<unknown, z.output<Answer>>, 'answer'>
  readonly visits: JobVisits<z.output<Request>, Value, Services<Requires, Uses>, z.input<Answer>>
}

type NoPorts = Readonly<Record<string, never>>
type NoProgress = z.ZodObject<Readonly<Record<string, never>>>

/**
 * Defines a kind of job with one result, which is a single operation (`run`). Engines with it accept
 * `engine.start(kind, request)`. Throws `invalid_request` for an invalid property.
 */
export function defineJob<
  const Kind extends string,
  Request extends z.ZodType,
  Answer extends z.ZodType,
  Requires extends PortMap = NoPorts,
  Uses extends PortMap = NoPorts,
  Progress extends z.ZodObject = NoProgress,
  const Fits extends AnswerFits | undefined = undefined,
  Step = Json,
>(
  input: WorkInput<Kind, Request, Answer, Requires, Uses, Progress, Fits, Step>,
): JobPart<Kind, Request, Answer, Progress, Fits>
/**
 * Defines a kind of job with one result, which is built from the pages that it visits (`visits`). Throws `invalid_request` for
 * an invalid property.
 */
export function defineJob<
  const Kind extends string,
  Request extends z.ZodType,
  Answer extends z.ZodType,
  Requires extends PortMap = NoPorts,
  Uses extends PortMap = NoPorts,
  Progress extends z.ZodObject = NoProgress,
  const Fits extends AnswerFits | undefined = undefined,
  Value = Json,
>(
  input: VisitsInput<Kind, Request, Answer, Requires, Uses, Progress, Fits, Value>,
): JobPart<Kind, Request, Answer, Progress, Fits>
export function defineJob(given: AnyInput): JobPart {
  checkDefinition('defineJob', 'kind', given, jobShape)
  const { run, visits, request, ...input } = given
  if (!run && !visits) {
    const message = `defineJob: "${given.kind}" has neither run nor visits. Give one: run(request, work), or visits for a job of pages.`
    throw new EngineError('invalid_request', message)
  }
  const way = run ? { is: 'work', run } : { is: 'visits', ...visits }
  const requestWith = typeof request === 'function' ? request : undefined
  return Object.freeze({
    title: input.kind,
    requires: {},
    uses: {},
    answerFits: undefined,
    progress: undefined,
    webhookPayloads: {},
    requiresFor: () => [],
    target: undefined,
    holds: undefined,
    instead: undefined,
    threads: undefined,
    endpoints: [],
    command: undefined,
    ...input,
    requestWith,
    request: requestWith ? requestWith(anyPageOptions) : request,
    way,
    // Cast: a registry holds kinds with any request type; each is called only with output of its own schema.
  }) as unknown as JobPart
}

// Cast: placeholder until an engine passes its own schema, because the page options depend on its plugins.
const anyPageOptions = z.looseObject({}) as unknown as PageOptionsSchema

interface AnyInput {
  readonly kind: string
  readonly request: z.ZodType | ((page: PageOptionsSchema) => z.ZodType)
  readonly run?: unknown
  readonly visits?: object
}
