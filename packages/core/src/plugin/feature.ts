// Features: what a plugin adds to an engine under a name of its own, and what such a thing is made with.
import type { Clock, EngineEvent, Fetcher, Guard, Ledger, Store } from '@harvestman/ports'
import type { EngineKeeping, EngineLimits } from '../schema/engine-options.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { TeamLimits } from '../schema/team.ts'
import type { TeamCall } from './admission.ts'
import type { Action } from './action.ts'
import { makeCommand, type FeatureCommands, type MakeCommand } from './command.ts'
import type { Endpoints, FeatureCall, MakeEndpoint, MethodsOf } from './endpoint.ts'
import { checkDefinition } from './definition.ts'
import { checkEndpoints, makeEndpoint } from './make-endpoint.ts'
import { featureShape } from './shapes.ts'
import type { PolicyAction, PolicyContext } from './policy.ts'
import type { LoadedPage, WebHit } from './job-pages.ts'
import type { Port } from './port.ts'
import type { PluginStore } from './store.ts'
import type { Preview } from './price.ts'

/** A property that a plugin adds to its engine: `engine.notes`. Made by `defineFeature`. */
export interface Feature<Name extends string = string, Api = unknown, All extends Endpoints<never> = Endpoints<never>> {
  readonly name: Name
  /** The scope and the rate limit of its endpoints. */
  readonly group: string
  /** Names of its requests in the activity, each with its group. */
  readonly activities: Readonly<Record<string, string>>
  readonly endpoints: All
  readonly commands: FeatureCommands
  readonly notFound: string | undefined
  readonly invalidId: string | undefined
  readonly summary: string | undefined
  readonly examples: readonly string[]
  readonly usesReplays: boolean
  readonly open: (kit: FeatureKit) => unknown
  close?(value: unknown): Promise<void> | void
  around?<Result>(value: unknown, work: EngineWork, run: () => Promise<Result>): Promise<Result>
  /** Members of the property besides a method for each endpoint. */
  more?(value: unknown): object
  /** The type of the property. It has no value. */
  readonly api?: Api
}

/** A piece of work of an engine. */
export interface EngineWork {
  /** The id by which its result is found: that of the scrape, map or search, or of the job of a visit. */
  readonly id: string
  readonly team: string
  /** Checked, with defaults. A visit has the request of its job. */
  readonly request: unknown
  /** True when it is done for a job, which may have more work under the same id, here and in other processes. */
  readonly isOfJob: boolean
  /** True when the request has `record: true`. */
  readonly isRecorded: boolean
}

/** The endpoints of a feature without endpoints. */
type NoEndpoints = { readonly then: never }

/** Input of `defineFeature`. */
export interface FeatureInput<Name extends string, Value> {
  /** Its name on the engine. */
  readonly name: Name
  /**
   * Names of its requests in the activity, each with its group: limits and scopes of keys are given by group. For features
   * that call `kit.admit` themselves.
   */
  readonly activities?: Readonly<Record<string, string>>
  /** True when it calls `findReplay`. Scrapes that are kept are then kept with their options, headers too. */
  readonly usesReplays?: boolean
  /** Makes it, when the engine is made. Nothing may connect yet. */
  readonly open: (kit: FeatureKit) => Value
  /** Closes it with the engine: after its jobs, before the store, the ledger and the fetcher. */
  close?(value: NoInfer<Value>): Promise<void> | void
  /** Stands around each piece of work: a scrape, a map, a search, the visits of a job. It calls `run` once, and gives its result. */
  around?<Result>(value: NoInfer<Value>, work: EngineWork, run: () => Promise<Result>): Promise<Result>
}

/** Input of `defineFeature` for a feature with endpoints. */
export interface ServedFeatureInput<
  Name extends string,
  Value,
  All extends Endpoints<never>,
  More extends object,
> extends FeatureInput<Name, Value> {
  /** The scope that keys need for its endpoints, and the group of its rate limit. Default: its name in lower case with hyphens. */
  readonly group?: string
  /**
   * Its operations: `(endpoint) => ({ get: endpoint({ method: 'GET', path: '/v2/notes/{id}', … }) })`. Each is a method of
   * the engine's property, a route with its OpenAPI description, a method of the client and a command.
   */
  readonly endpoints: (endpoint: MakeEndpoint<NoInfer<Value>>) => All
  /**
   * Commands that do more than call one endpoint, by name: `(command) => ({ wait: command({ … }) })`. One with the name of an
   * endpoint's command replaces it.
   */
  readonly commands?: (command: MakeCommand<NoInfer<All>>) => FeatureCommands
  /** One sentence about the feature: the help of its commands. */
  readonly summary?: string
  /** Command lines for the help, without the name of the command-line app, such as `notes list`. */
  readonly examples?: readonly string[]
  /** The message of HTTP answers when something is not found. Default: the message of the error. */
  readonly notFound?: string
  /** The message of HTTP answers when a path parameter is not valid, such as `Invalid note ID`. Default: `Invalid path parameter`. */
  readonly invalidId?: string
  /** Members of the engine's property besides a method for each endpoint, such as iterators. */
  more?(value: NoInfer<Value>): More
}

/** Defines a property that a plugin adds to its engine: `definePlugin({ name, features: [defineFeature({ … })] })`. */
export function defineFeature<
  const Name extends string,
  Value,
  All extends Endpoints<never>,
  More extends object = object,
>(input: ServedFeatureInput<Name, Value, All, More>): Feature<Name, MethodsOf<All> & More, All>
export function defineFeature<const Name extends string, Value>(
  input: FeatureInput<Name, Value>,
): Feature<Name, Value, NoEndpoints>
export function defineFeature(
  input: FeatureInput<string, unknown> | ServedFeatureInput<string, unknown, Endpoints<never>, object>,
): Feature {
  checkDefinition('defineFeature', 'name', input, featureShape)
  const base = {
    ...{ activities: {}, notFound: undefined, usesReplays: false, group: groupOf(input.name) },
    ...{ summary: undefined, examples: [], commands: {}, invalidId: undefined },
  }
  if (!('endpoints' in input)) return Object.freeze({ ...base, ...input, endpoints: {} })
  const group = input.group ?? base.group
  // Cast: the types of each endpoint were checked where it was written.
  const endpoints = input.endpoints(makeEndpoint as unknown as MakeEndpoint<unknown>)
  checkEndpoints(input.name, endpoints)
  const commands = input.commands?.(makeCommand) ?? {}
  return Object.freeze({ ...base, activities: { [input.name]: group }, ...input, group, endpoints, commands })
}

function groupOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Kit of a feature: the ports of its engine, guarded where they lead outside, and what engines on one store share. */
export interface FeatureKit {
  /** The name of this engine: the owner of what it holds. No other engine ever has it. */
  readonly owner: string
  /** True when another owner is known to be gone for good: there is no need to wait for it. */
  isGone(owner: string): boolean
  /** The store of the engine, which other engines may share. Keys begin with the name of the feature: `notes/…`. */
  readonly store: Store
  /** Returns the store that the formats and other parts of the same plugin have for a team. */
  storeOf(team: string): PluginStore
  /** Takes a lock on a key of the store and keeps it until it is given back; nothing while another holds it. */
  lock(key: string): Promise<(() => Promise<void>) | undefined>
  readonly clock: Clock
  readonly ledger: Ledger
  /** The engine, asked as by any caller. */
  readonly engine: FeatureEngine
  /** Returns the secrets that sign messages to the webhooks of a team. */
  webhookSecrets(team: string): readonly string[]
  /**
   * Does a piece of work within what stands around all work of the engine, such as what records it. Rejects with
   * `not_configured` when the request asks for a record that nothing would keep.
   */
  work<Result>(work: Omit<EngineWork, 'isRecorded'>, run: () => Promise<Result>): Promise<Result>
  /** Opens the reservation of a piece of work, so that it is paid for once, whichever engine ends it. */
  hold(work: HeldWork): CreditHold
  /** Loads what an address gives. It goes where the guard allows, and nowhere else. */
  readonly fetcher: Fetcher
  readonly guard: Guard
  /** Headers that are sent to the host of every page beside the usual. */
  readonly headers: Readonly<Record<string, string>>
  readonly policies: PolicyGate
  /** The actions that scrapes of the engine know. */
  readonly actions: readonly Action[]
  /**
   * Finds the options of a kept scrape, if kept (see `usesReplays`). Rejects with `not_found`, `forbidden`, or, for a page
   * of a job whose kind the scopes of the call lack, `scope_missing`.
   */
  findReplay(scrapeId: string, team: string, call?: Pick<TeamCall, 'scopes'>): Promise<ReplayContext | undefined>
  readonly limits: EngineLimits
  readonly keep: EngineKeeping
  /** The groups of endpoints of the engine, by which limits and scopes are given. */
  readonly groups: readonly string[]
  /** The team of requests that name none. */
  readonly team: string
  /** Returns the service of a port; undefined when the engine has none. */
  port<Service>(port: Port<Service>): Service | undefined
  /** Gives the engine what a port asks for: for kinds of jobs and other features, and for the list of what it can do. */
  provide<Service>(port: Port<Service>, service: Service): void
  /** Lets a request in, or rejects with what refuses it; then does it, and notes it in the activity of its team. */
  admit<Result>(
    asked: FeatureRequest<Result>,
    call: FeatureCall,
    work: (caller: AdmittedCaller) => Promise<Result>,
  ): Promise<Result>
  /** Rejects a call whose scopes do not have a group of endpoints: for work that does what these do. */
  checkGroup(group: string, call: TeamCall): void
  /** Tells the host of the engine what happens. */
  observe(event: EngineEvent): void
  /** Tells the host of something that it should look at. */
  warn(message: string): void
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
}

/** The engine as its features call it. A request is checked, let in by the gates and paid for by its team, as usual. */
export interface FeatureEngine {
  readonly jobs: {
    /** Finds a job of any kind. Rejects with `not_found`, or with `scope_missing` when the scopes of the call lack its kind. */
    find(id: string, call?: TeamCall): Promise<FeatureJob>
    /** Lists the jobs of a team that have not ended. */
    running(call?: TeamCall): Promise<readonly RunningJob[]>
  }
  readonly unchecked: {
    readonly crawl: StartJob
    readonly batch: StartJob
    readonly search: SearchPages
    /** Returns the number of pages of a team that this engine is loading, without the pages of jobs. */
    loadingOf(team: string): number
  }
  /** The price of a request. What is stored and run later passes the call here: it rejects what its scopes do not allow. */
  preview(kind: string, request: unknown, call?: TeamCall): Preview
  /** Returns the names of requests in the activity. */
  capabilities(): { readonly endpoints: readonly string[] }
}

/** A job that has not ended, and its pages. */
interface RunningJob {
  readonly status: string
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly request: unknown
}

type SearchPages = (
  request: unknown,
  call?: FeatureCall,
) => Promise<{ readonly web?: readonly WebHit[]; readonly creditsUsed: number }>

/** Asked again with the same key, for the same thing, it is the job of the first time. */
type StartJob = (
  request: unknown,
  call?: FeatureCall & { readonly idempotencyKey?: string; readonly label?: string },
) => Promise<FeatureJob>

/** A job of many pages, as a feature holds it. It goes on without the feature. */
export interface FeatureJob {
  readonly id: string
  status(): Promise<{ readonly status: string; readonly creditsUsed: number; readonly message?: string }>
  /** Documents in the order in which they were finished, each once, until the job has ended. */
  documents(options?: { readonly skip?: number; readonly signal?: AbortSignal }): AsyncIterable<FeatureDocument>
  errors(): Promise<{ readonly errors: readonly Readonly<Record<'id' | 'url' | 'code' | 'error', string>>[] }>
  cancel(): Promise<boolean>
}

/** A document of a job: what each has, and what was asked for. */
export interface FeatureDocument {
  readonly metadata: LoadedPage['metadata'] & { readonly scrapeId: string }
  readonly [format: string]: unknown
}

/** Request to a feature. */
export interface FeatureRequest<Result = unknown> {
  /** One of its `activities`. */
  readonly endpoint: string
  /** Input of the request: its `url`, `query` or `prompt` is shown in the activity. */
  readonly input?: unknown
  /** Finds what came of it again; a made-up id when absent. */
  idOf?(result: Result): string
}

/** A caller that was let in. */
export interface AdmittedCaller {
  readonly team: string
  readonly key: string | undefined
  readonly limits: TeamLimits | undefined
}

/** A piece of work that credits are set aside for. */
export interface HeldWork {
  readonly team: string
  /** The key of the task: the same again is charged once. */
  readonly task: string
  /** The latest time at which the work is over, in milliseconds since 1970. */
  readonly until: number
  readonly key?: string | undefined
  /**
   * Time until which the ledger remembers the task. With it any engine may settle what this one could not, and it is
   * charged once; also when what was held has been given back, and when the team has no bound.
   */
  readonly knownUntil?: number | undefined
}

/** Credits that are set aside for one piece of work, from before it begins until its price is known. */
export interface CreditHold {
  /** Has so many credits set aside in all; rejects with `insufficient_credits` when they are not there. */
  reserve(credits: number): Promise<void>
  /** The work is done: takes what it costs, and gives the rest back. */
  settle(credits: number): Promise<void>
  /** The work came to nothing: gives all back. */
  giveBack(): Promise<void>
}

/** Policies of an engine. Each check rejects with `policy_denied` and the reason. */
export interface PolicyGate {
  readonly areAny: boolean
  url(url: URL, asker: PolicyContext): Promise<void>
  /** `url` is where the page is, as far as that is known. */
  action(action: Pick<PolicyAction, 'type'>, url: string, asker: PolicyContext): Promise<void>
}

/** Options of a request that a page depends on, to bring a browser to the same page again. */
export type ReplayContext = Pick<
  ScrapeRequest,
  'url' | 'headers' | 'mobile' | 'blockAds' | 'skipTlsVerification' | 'location' | 'waitFor' | 'actions' | 'proxy'
>
