// Features: properties that plugins add to an engine, and the kit that they are built with.
import type { Profiles } from './profiles.ts'
import type { Clock, EngineEvent, Fetcher, Guard, Json, Ledger, Store } from '@harvestman/ports'
import type { EngineKeeping, EngineLimits } from '../schema/engine-limits.ts'
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
import type { OwnWork, OwnWorkInput } from './own-work.ts'
import type { Port } from './port.ts'
import type { PluginStore } from './store.ts'
import type { Preview } from './price.ts'

/** A property that a plugin adds to its engine, such as `engine.notes`. Created by `defineFeature`. */
export interface Feature<Name extends string = string, Api = unknown, All extends Endpoints<never> = Endpoints<never>> {
  readonly name: Name
  /** Endpoint group: the scope that keys need for its endpoints, and their rate limit. */
  readonly group: string
  /** Endpoint group of each request name in the activity log. */
  readonly activities: Readonly<Record<string, string>>
  readonly endpoints: All
  readonly commands: FeatureCommands
  readonly notFound: string | undefined
  readonly invalidId: string | undefined
  readonly summary: string | undefined
  readonly examples: readonly string[]
  readonly usesReplays: boolean
  readonly keepsRecords: boolean
  readonly secretFields: readonly string[]
  readonly open: (kit: FeatureKit) => unknown
  close?(value: unknown): Promise<void> | void
  around?<Result>(value: unknown, work: EngineWork, run: () => Promise<Result>): Promise<Result>
  /** Members of the property in addition to one method per endpoint. */
  more?(value: unknown): object
  /** Carries the type of the property. Has no value at run time. */
  readonly api?: Api
}

/** An operation of an engine. */
export interface EngineWork {
  /** Id of the result: the id of the scrape, map or search, or of the job that a page visit belongs to. */
  readonly id: string
  readonly team: string
  /** Validated request with defaults filled in. For a page visit, the request of its job. */
  readonly request: unknown
  /** True if it is part of a job, which may run more operations under the same id, here and in other processes. */
  readonly isOfJob: boolean
  /** True if the request has `record: true`. */
  readonly isRecorded: boolean
}

/** Endpoints type of a feature without endpoints. */
type NoEndpoints = { readonly then: never }

/** Input of `defineFeature`. */
export interface FeatureInput<Name extends string, Value> {
  /** Property name on the engine. */
  readonly name: Name
  /**
   * Endpoint group of each request name in the activity log. Limits and scopes apply per group. Only for features that call
   * `kit.admit` themselves, or whose endpoints have different names there.
   */
  readonly activities?: Readonly<Record<string, string>>
  /** True if it calls `findReplay`. Stored scrapes then include their options, headers too. */
  readonly usesReplays?: boolean
  /** True if `around` records operations with `record: true`. An engine without such a feature rejects these requests. */
  readonly keepsRecords?: boolean
  /** Names of fields in its stored records that contain credentials. They are encrypted in every record. */
  readonly secretFields?: readonly string[]
  /** Creates the value of the property when the engine is created. Must not connect to anything yet. */
  readonly open: (kit: FeatureKit) => Value
  /** Closes it with the engine: after the jobs, before the store, the ledger and the fetcher. */
  close?(value: NoInfer<Value>): Promise<void> | void
  /** Wraps each operation: a scrape, a map, a search, the visits of a job. Must call `run` once and return its result. */
  around?<Result>(value: NoInfer<Value>, work: EngineWork, run: () => Promise<Result>): Promise<Result>
}

/** Input of `defineFeature` for a feature with endpoints. */
export interface ServedFeatureInput<
  Name extends string,
  Value,
  All extends Endpoints<never>,
  More extends object,
> extends FeatureInput<Name, Value> {
  /** Scope that keys need for its endpoints, and the group of their rate limit. Default: its name in kebab case. */
  readonly group?: string
  /**
   * Operations of the feature: `(endpoint) => ({ get: endpoint({ method: 'GET', path: '/v2/notes/{id}', … }) })`. Each one
   * becomes a method of the engine's property, an HTTP route with an OpenAPI description, a client method and a command.
   */
  readonly endpoints: (endpoint: MakeEndpoint<NoInfer<Value>>) => All
  /**
   * Commands that do more than call one endpoint, by name: `(command) => ({ wait: command({ … }) })`. A command with the name
   * of an endpoint's command replaces it.
   */
  readonly commands?: (command: MakeCommand<NoInfer<All>>) => FeatureCommands
  /** One sentence about the feature, for the help of its commands. */
  readonly summary?: string
  /** Example command lines for the help, without the name of the CLI, such as `notes list`. */
  readonly examples?: readonly string[]
  /** Message of HTTP responses when something is not found. Default: the message of the error. */
  readonly notFound?: string
  /** Message of HTTP responses for an invalid path parameter, such as `Invalid note ID`. Default: `Invalid path parameter`. */
  readonly invalidId?: string
  /** Returns members of the engine's property in addition to one method per endpoint, such as iterators. */
  more?(value: NoInfer<Value>): More
}

/**
 * Defines a property with endpoints that a plugin adds to its engine:
 * `definePlugin({ name, features: [defineFeature({ … })] })`. Throws `invalid_request` for an invalid property or endpoint.
 */
export function defineFeature<
  const Name extends string,
  Value,
  All extends Endpoints<never>,
  More extends object = object,
>(input: ServedFeatureInput<Name, Value, All, More>): Feature<Name, MethodsOf<All> & More, All>
/** Defines a property without endpoints that a plugin adds to its engine. Throws `invalid_request` for an invalid property. */
export function defineFeature<const Name extends string, Value>(
  input: FeatureInput<Name, Value>,
): Feature<Name, Value, NoEndpoints>
export function defineFeature(
  input: FeatureInput<string, unknown> | ServedFeatureInput<string, unknown, Endpoints<never>, object>,
): Feature {
  checkDefinition('defineFeature', 'name', input, featureShape)
  const base = {
    ...{ activities: {}, notFound: undefined, usesReplays: false, keepsRecords: false, group: groupOf(input.name) },
    ...{ summary: undefined, examples: [], commands: {}, invalidId: undefined, secretFields: [] },
  }
  if (!('endpoints' in input)) return Object.freeze({ ...base, ...input, endpoints: {} })
  const group = input.group ?? base.group
  // Cast: the types of each endpoint are checked where it is defined.
  const endpoints = input.endpoints(makeEndpoint as MakeEndpoint<unknown>)
  const activities = input.activities ?? { [input.name]: group }
  checkEndpoints(input.name, endpoints, activities)
  const commands = input.commands?.(makeCommand) ?? {}
  return Object.freeze({ ...base, ...input, activities, group, endpoints, commands })
}

function groupOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Dependencies of a feature: the engine's ports, with guarded network access, and state shared through the store. */
export interface FeatureKit {
  /** Unique name of this engine, recorded as the owner of its locks and records. */
  readonly owner: string
  /** Returns whether the engine with this name is known to have stopped for good, so that nothing has to wait for it. */
  isGone(owner: string): boolean
  /** The engine's store, which other engines may share. Prefix keys with the name of the feature: `notes/…`. */
  readonly store: Store
  /** Returns the plugin's store for a team, the same one that the plugin's formats and other parts use. */
  storeOf(team: string): PluginStore
  /** Locks a key of the store. Returns a function that releases the lock, or `undefined` if another owner holds it. */
  lock(key: string): Promise<(() => Promise<void>) | undefined>
  /** Browser profiles, which scrapes and live browsers share. */
  readonly profiles: Profiles
  readonly clock: Clock
  readonly ledger: Ledger
  /** The engine, called as by any caller. */
  readonly engine: FeatureEngine
  /** Returns the secrets that sign webhook messages of a team. */
  webhookSecrets(team: string): readonly string[]
  /**
   * Runs an operation inside the `around` wrappers of all features, such as recording. Rejects with `not_configured` if the
   * request has `record: true` and no feature records.
   */
  work<Result>(work: Omit<EngineWork, 'isRecorded'>, run: () => Promise<Result>): Promise<Result>
  /**
   * Defines work that continues after a crash, here or on another engine with this feature. Call it in `open`, once for each
   * kind.
   */
  ownWork<Request extends Json>(input: OwnWorkInput<Request>): OwnWork<Request>
  /** Opens a credit reservation for an operation, which is charged once, whichever engine ends it. */
  hold(work: HeldWork): CreditHold
  /** Fetches URLs that the guard allows. Rejects others. */
  readonly fetcher: Fetcher
  readonly guard: Guard
  /** Headers sent to the host of every page, in addition to the default ones. */
  readonly headers: Readonly<Record<string, string>>
  readonly policies: PolicyGate
  /** Actions that scrapes of the engine support. */
  readonly actions: readonly Action[]
  /**
   * Returns the options of a stored scrape, or `undefined` if they are not stored (see `usesReplays`). Rejects with
   * `not_found`, `forbidden`, or `scope_missing` for a page of a job whose kind is not in the scopes of the call.
   */
  findReplay(scrapeId: string, team: string, call?: Pick<TeamCall, 'scopes'>): Promise<ReplayContext | undefined>
  readonly limits: EngineLimits
  readonly keep: EngineKeeping
  /** Endpoint groups of the engine. Limits and scopes apply per group. */
  readonly groups: readonly string[]
  /** Team of requests that do not specify one. */
  readonly team: string
  /** Returns the service of a port, or `undefined` if there is none. */
  port<Service>(port: Port<Service>): Service | undefined
  /** Registers a service for a port, for kinds of jobs and other features. It then appears in the engine's capabilities. */
  provide<Service>(port: Port<Service>, service: Service): void
  /** Admits a request or rejects with the reason; then runs `work` and notes the request in the team's activity log. */
  admit<Result>(
    request: FeatureRequest<Result>,
    call: FeatureCall,
    work: (caller: AdmittedCaller) => Promise<Result>,
  ): Promise<Result>
  /** Rejects if the scopes of the call do not include this group: for work that does the same as the group's endpoints. */
  checkGroup(group: string, call: TeamCall): void
  /** Sends an event to the engine's observer. */
  observe(event: EngineEvent): void
  /** Sends a warning to the host application. */
  warn(message: string): void
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
}

/** The engine as its features call it. Requests are checked, admitted by the gates and charged to their team as usual. */
export interface FeatureEngine {
  readonly jobs: {
    /** Finds a job of any kind. Rejects with `not_found`, or with `scope_missing` if the call's scopes lack its kind. */
    find(id: string, call?: TeamCall): Promise<FeatureJob>
    /** Lists the jobs of a team that have not ended. */
    running(call?: TeamCall): Promise<readonly RunningJob[]>
  }
  readonly unchecked: {
    readonly crawl: StartJob
    readonly batch: StartJob
    readonly search: SearchPages
    /** Returns how many pages of a team all engines on the store are loading. */
    loadingOf(team: string): Promise<{ readonly ofJobs: number; readonly single: number }>
  }
  /**
   * Returns the price of a request. Pass the call for requests that are stored and run later: throws `scope_missing` if its
   * scopes do not allow the request.
   */
  preview(kind: string, request: unknown, call?: TeamCall): Preview
  /** Returns the request names that the activity log uses. */
  capabilities(): { readonly endpoints: readonly string[] }
}

/** Progress of a job that has not ended. */
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

/** Starts a job. A repeated call with the same idempotency key and the same request returns the first job. */
type StartJob = (
  request: unknown,
  call?: FeatureCall & { readonly idempotencyKey?: string; readonly label?: string },
) => Promise<FeatureJob>

/** Handle of a job that loads many pages. The job continues without the feature. */
export interface FeatureJob {
  readonly id: string
  status(): Promise<FeatureJobStatus>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<FeatureJobStatus>
  /** Yields each document once, in order of completion, until the job has ended. */
  documents(options?: { readonly skip?: number; readonly signal?: AbortSignal }): AsyncIterable<FeatureDocument>
  errors(): Promise<{ readonly errors: readonly Readonly<Record<'id' | 'url' | 'code' | 'error', string>>[] }>
  cancel(): Promise<boolean>
}

interface FeatureJobStatus {
  readonly status: string
  readonly creditsUsed: number
  readonly message?: string
}

/** Document of a job: its metadata, and one property per requested format. */
export interface FeatureDocument {
  readonly metadata: LoadedPage['metadata'] & { readonly scrapeId: string }
  readonly [format: string]: unknown
}

/** Request to a feature. */
export interface FeatureRequest<Result = unknown> {
  /** Name in the feature's `activities`. */
  readonly endpoint: string
  /** Input of the request. Its `url`, `query` or `prompt` is shown in the activity log. */
  readonly input?: unknown
  /** Returns the id for the activity log. Default: a generated id. */
  idOf?(result: Result): string
}

/** Caller of an admitted request. */
export interface AdmittedCaller {
  readonly team: string
  readonly key: string | undefined
  readonly limits: TeamLimits | undefined
}

/** An operation that credits are reserved for. */
export interface HeldWork {
  readonly team: string
  /** Idempotency key: the same task is charged only once. */
  readonly task: string
  /** Latest time at which the operation can end, in milliseconds since 1970. */
  readonly until: number
  readonly key?: string | undefined
  /**
   * Time until which the ledger remembers the task, in milliseconds since 1970. Until then another engine may settle what this
   * one could not, and the task is charged once, even if the reservation was released or the team has no credit limit.
   */
  readonly knownUntil?: number | undefined
}

/** Credits reserved for one operation, from before it starts until its price is known. */
export interface CreditHold {
  /** Raises the reservation to this total; rejects with `insufficient_credits` if the team has too few. */
  reserve(credits: number): Promise<void>
  /** Charges the price of completed work and releases the rest of the reservation. */
  settle(credits: number): Promise<void>
  /** Releases the full reservation because the work failed. */
  release(): Promise<void>
}

/** Policies of an engine. Each check rejects with `policy_denied` and the reason. */
export interface PolicyGate {
  readonly areAny: boolean
  url(url: URL, context: PolicyContext): Promise<void>
  /** `url` is the current URL of the page, as far as it is known. */
  action(action: Pick<PolicyAction, 'type'>, url: string, context: PolicyContext): Promise<void>
}

/** Options of a scrape that affect the page in the browser, for reopening the same page later. */
export type ReplayContext = Pick<
  ScrapeRequest,
  | 'url'
  | 'headers'
  | 'mobile'
  | 'blockAds'
  | 'skipTlsVerification'
  | 'location'
  | 'waitFor'
  | 'actions'
  | 'proxy'
  | 'profile'
>
