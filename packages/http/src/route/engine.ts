import type { Engine, JobQuery, KeyScopes, UntypedJobsApi } from '@harvestman/core'
import type { ServedFeature } from '@harvestman/core/plugin'
import type { Hosting } from '@harvestman/hosting'
import type { Live } from '@harvestman/live'
import type { Replays } from '@harvestman/live/session-replay'

/** The caller of a read. The API always passes the scopes of the key, so that the engine checks them. */
interface Reader {
  readonly team: string
  readonly scopes: KeyScopes | undefined
}

type Jobs = Omit<UntypedJobsApi, 'find' | 'findCrawl' | 'running' | 'list'> & {
  find(id: string, call: Reader): ReturnType<UntypedJobsApi['find']>
  findCrawl(id: string, call: Reader): ReturnType<UntypedJobsApi['findCrawl']>
  running(call: Reader): ReturnType<UntypedJobsApi['running']>
  list(query: JobQuery | undefined, call: Reader): ReturnType<UntypedJobsApi['list']>
}

type Results = Omit<Engine['results'], 'find'> & {
  find(id: string, call: Reader & { readonly encoded?: boolean }): ReturnType<Engine['results']['find']>
}

type Unchecked = Omit<Engine['unchecked'], 'find' | 'findThread'> & {
  find(kind: string, id: string, call: Reader): ReturnType<Engine['unchecked']['find']>
  findThread(kind: string, id: string, call: Reader): ReturnType<Engine['unchecked']['findThread']>
}

/** Engine members that the API needs. */
export type ApiEngine = Pick<
  Engine,
  'changes' | 'kinds' | 'schemas' | 'capabilities' | 'checkStore' | 'admit' | 'ledger' | 'limits'
> & {
  readonly jobs: Jobs
  readonly results: Results
  readonly unchecked: Unchecked
  /** Features with endpoints, by name. */
  readonly features: Readonly<Record<string, ServedFeature>>
  /** Only if a plugin provides them. */
  readonly live?: Live | undefined
  readonly replays?: Replays | undefined
} & HostingIfAny

/** Members that the plugin `hosting` adds, if the engine has it. */
type HostingIfAny = { readonly [Name in keyof Hosting]?: Hosting[Name] | undefined }

/** The engine as routes see it. Routes of features that it lacks are not served. */
export type ServedEngine = Omit<ApiEngine, keyof Hosting> & Hosting

export type Schemas = ApiEngine['schemas']
