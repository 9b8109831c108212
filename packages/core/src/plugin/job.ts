// Kinds of jobs that have one answer, as a part of a plugin: what a kind is asked for, what it answers, what it costs and
// how it is done. Routes, commands, tools, methods and views are made of this, and of nothing else.
import { z } from 'zod'

import { EngineError, type Clock, type Json } from '@harvestman/ports'
import { checkDefinition } from './definition.ts'
import { jobShape } from './shapes.ts'
import type { PageOptionsSchema } from '../schema/page-options.ts'
import type { PartOptions, LoadOptions, LoadedPage, WebHit, JobVisits, PageValue, VisitOutcome } from './job-pages.ts'
import type { Port, PortMap, ServicesOf } from './port.ts'
import type { Preview } from './price.ts'

/** A kind of job as an engine sees it, whatever it is asked for and answers. Made by `defineJob`. */
export interface JobPart<
  Kind extends string = string,
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Progress extends z.ZodObject = z.ZodObject,
  Fits extends AnswerFits | undefined = AnswerFits | undefined,
> {
  readonly kind: Kind
  readonly title: string
  readonly says: string
  readonly request: Request
  /** The request with the options of pages of an engine; absent where it has none. */
  readonly requestWith: ((page: PageOptionsSchema) => Request) | undefined
  readonly answer: Answer
  readonly example: object
  readonly about: string
  readonly requires: PortMap
  readonly uses: PortMap
  readonly answerFits: Fits
  readonly progress: ProgressTold<Progress, unknown> | undefined
  readonly tells: JobTells
  readonly faces: readonly JobFace[]
  readonly command: JobCommand | undefined
  readonly way: JobWay
  price(request: unknown, kit: PriceKit): Preview
  requiresFor(request: unknown): readonly RequiredPort[]
  holds: ((request: unknown) => number) | undefined
  target: ((request: unknown) => string) | undefined
  instead: ((request: unknown) => OtherJob | undefined) | undefined
}

/** A job of another kind that does what was asked for. */
export interface OtherJob {
  readonly kind: string
  readonly request: unknown
}

export type JobWay =
  | { readonly is: 'work'; run(request: unknown, work: JobWork): Promise<unknown> }
  | ({ readonly is: 'visits' } & JobVisits)

/** A port that some requests of a kind cannot do without, and the words for those. */
export interface RequiredPort {
  readonly port: Port
  /** Text before "needs": `An agent without urls`. */
  readonly because: string
  /** Remedy to name in the error: `give urls`. */
  readonly or?: string
}

/** Payloads of webhook events of a job, where they differ from those of every kind. */
export interface JobTells<Step = unknown, Answer = unknown> {
  /** Payload for a step that was kept; undefined to send nothing. */
  step?(step: Step): Json | undefined
  /** Payload of the end of the job; when absent, the answer. */
  answer?(answer: Answer, job: EndedJob): Json | Promise<Json>
  /** Payload of the end of a job that has no answer. */
  readonly noAnswer?: Json
}

/** A job that is over, for what is told of it. */
export interface EndedJob {
  readonly id: string
  readonly creditsUsed: number
  /** The pages of a job that visits pages. */
  pages(): Promise<readonly PageValue[]>
}

/** Paths to the JSON Schema of the answer in a request, and to the value in the answer that fits it. */
export interface AnswerFits {
  /** The path of the option, with dots: `schema`, `jsonOptions.schema`. */
  readonly schema: string
  /** The property of the answer; the whole answer when absent. */
  readonly under?: string
}

/** Progress that a status shows beside the answer, worked out from what was kept of the job. */
export interface ProgressTold<Schema extends z.ZodObject = z.ZodObject, Kept = KeptStep> {
  readonly schema: Schema
  /** Makes the progress. `kept` has the steps until now; of a job that visits pages, its pages once it has ended. */
  of(kept: readonly Kept[], request: unknown, status: AnswerStatus<unknown>): z.input<Schema>
  /** Returns the progress until now in lines of text, for people who wait. */
  lines?(told: NoInfer<z.output<Schema>>): readonly string[]
}

/** Something that was found out and kept, with its time in milliseconds since 1970. */
export interface KeptStep<Step = unknown> {
  readonly at: number
  readonly step: Step
}

/** Kit for working out a price. */
export interface PriceKit {
  /** Price of a page with these options of a scrape; Markdown alone when there are none. */
  page(options?: Readonly<Record<string, unknown>>): Preview
  /** True when the engine has the service of a port, by the name that the kind chose for it. */
  has(port: string): boolean
}

/** One piece of work under way. A worker that takes it up after another has ended begins with what was kept. */
export interface JobWork<Step = unknown, Services = unknown> {
  readonly steps: readonly KeptStep<Step>[]
  /** Credits that it has cost until now. */
  readonly spent: number
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Services of the ports in `requires`, and of those in `uses` that the engine has. */
  readonly ports: Services
  /** Keeps what was found out. Resolves when it is kept. */
  keep(...steps: readonly Step[]): Promise<void>
  /** Loads a page. */
  scrape(url: string, options?: LoadOptions): Promise<LoadedPage>
  /** Searches the web. */
  search(words: string, limit: number, options?: PartOptions): Promise<readonly WebHit[]>
  /** Finds the addresses of a site; those that the words are about come first. */
  map(
    url: string,
    limit: number,
    options?: PartOptions & { readonly words?: string | undefined },
  ): Promise<readonly WebHit[]>
  /** Does a part that has a price of its own: at most so much, and in the end what `price` says. */
  pay<Result>(most: number, price: (result: Result) => number, work: () => Promise<Result>): Promise<Result>
}

/** An older shape of a kind in the HTTP API, beside the one that every kind has. */
export interface JobFace<Status = unknown> {
  /** Path to start a job with; `/{id}` behind it reads the job, and cancels it if `ends`. */
  readonly path: `/${string}`
  /** The body of its start; the request of the kind when absent. What it gives is checked as that. */
  input?(): z.ZodType
  /** Makes the request of the kind from the body; when absent, the body is the request. */
  asked?(body: unknown): unknown
  /** Fields of the response to a start, beside the id. */
  readonly started?: { readonly schema: z.ZodObject; say(body: unknown): object }
  /** Clients are told in headers and in the body that the public API has replaced this path. */
  readonly deprecated?: { readonly sentence: string; readonly successor?: `/${string}` }
  /** Other kinds whose jobs are read here as well, by name. */
  readonly also?: readonly string[]
  readonly example?: object
  /** Schema of the state; `say` makes the state from the status of the job. */
  readonly state: z.ZodType
  say(status: Status): unknown
  /** Cancelling here: `once` refuses ended jobs, `always` accepts them. Default at the own path of the kind: `once`. */
  readonly ends?: 'once' | 'always'
  /** A list of those of the last 24 hours, 20 at once, where it is started. */
  readonly list?: { readonly name: string; readonly row: z.ZodObject; say(status: Status): object }
  readonly words: { readonly notFound: string; readonly cancelled?: string }
}

/** Parts of the CLI command of a kind, where they differ from those of every kind. */
export interface JobCommand {
  /** Its name; the kind when absent. */
  readonly name?: string
  /** Makes a request of what the flags say. */
  read?(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Flags by option, also by one within another (`jsonOptions.schema`), with a letter before them if they have one: `-l, --limit`. Made of the names of the options when absent. */
  readonly flags?: Readonly<Record<string, string>>
  /** The option that takes the words behind the first. */
  readonly more?: string
  /** Examples at the top of its help: the text behind the name of the command. */
  readonly examples?: readonly string[]
  /** The answer as a person reads it; JSON when absent. */
  print?(answer: unknown, request: unknown): string
}

/** Status of a job. */
export interface AnswerStatus<Data = Json> {
  readonly id: string
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  /** There when it is completed. */
  readonly data?: Data
  /** Reason why it failed. */
  readonly error?: string
  /** Warning about a completed job. */
  readonly warning?: string
  readonly creditsUsed: number
  readonly createdAt: string
  readonly expiresAt: string
}

/** Status of a job, with its request. */
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
  /** Its name in the log, in paths and lists. It is never changed: jobs are found again by it. */
  readonly kind: Kind
  /** Title for people; the kind when absent. */
  readonly title?: string
  /** One sentence on what it does: the summary of its route, the help of its command, the description of its tool. */
  readonly says: string
  /**
   * Schema of the request. `...jobOptions` adds those that core reads: `maxCredits` and `webhook`.
   */
  readonly request: Request | ((page: PageOptionsSchema) => Request)
  /** Schema of the answer. A text with `contentMediaType: 'text/markdown'` in its meta is shown as Markdown. */
  readonly answer: Answer
  /** A request that shows what is asked for, for the docs. */
  readonly example: z.input<Request> & object
  /** The option that says what a job is about, for lists: an address or words. It is the argument of the command. */
  readonly about: Extract<keyof z.output<Request>, string>
  /** Ports without which it cannot be begun. */
  readonly requires?: Requires
  /** Ports that it makes use of where the engine has them. */
  readonly uses?: Uses
  /** Ports that only some requests cannot do without. */
  requiresFor?(request: z.output<Request>): readonly RequiredPort[]
  /** Returns what the request is about, where that is not always the option `about`. */
  target?(request: z.output<Request>): string
  /** Credits that must be there before it begins; the least that it costs when absent. */
  holds?(request: z.output<Request>): number
  readonly answerFits?: Fits
  readonly progress?: ProgressTold<Progress, Kept>
  /** Another kind that does what a request asks for. Its job is the one that is begun. */
  instead?(request: z.output<Request>): OtherJob | undefined
  readonly faces?: readonly JobFace<StatusOfPart<z.output<Answer>, z.output<Progress>, z.output<Request>>>[]
  readonly command?: Omit<JobCommand, 'print'> & {
    print?(answer: z.output<Answer>, request: z.output<Request>): string
  }
  /** Returns the price of a request before anything is done. */
  price(request: z.output<Request>, kit: PriceKit): Preview
}

type Services<Requires extends PortMap, Uses extends PortMap> = ServicesOf<Requires> & {
  readonly [Name in keyof Uses]: ServicesOf<Uses>[Name] | undefined
}

/** A kind whose job is one piece of work. */
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
  readonly tells?: JobTells<Step, z.output<Answer>>
  run(request: z.output<Request>, work: JobWork<Step, Services<Requires, Uses>>): Promise<z.input<Answer>>
}

/** A kind whose job visits pages. */
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
  readonly tells?: Pick<JobTells<unknown, z.output<Answer>>, 'answer'>
  readonly visits: JobVisits<z.output<Request>, Value, Services<Requires, Uses>, z.input<Answer>>
}

type NoPorts = Readonly<Record<string, never>>
type NoProgress = z.ZodObject<Readonly<Record<string, never>>>

/** Defines a kind of job that has one answer. Engines with it take `engine.start(kind, request)`. */
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
    tells: {},
    requiresFor: () => [],
    target: undefined,
    holds: undefined,
    instead: undefined,
    faces: [],
    command: undefined,
    ...input,
    requestWith,
    request: requestWith ? requestWith(anyPageOptions) : request,
    way,
    // Cast: a registry holds kinds of any request; each is called with what its own schema has read.
  }) as unknown as JobPart
}

// Cast: an engine puts its own in the place; until then, which options of a page there are is not known.
const anyPageOptions = z.looseObject({}) as unknown as PageOptionsSchema

interface AnyInput {
  readonly kind: string
  readonly request: z.ZodType | ((page: PageOptionsSchema) => z.ZodType)
  readonly run?: unknown
  readonly visits?: object
}
