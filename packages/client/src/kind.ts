// Jobs of plugin kinds. Only the name of a kind is used at runtime; requests and results are typed by its schemas, so a
// type-only import is enough.
import { pause, type Http } from './http.ts'
import { cancelAt, type WaitOptions } from './job.ts'

/** A schema of any library that implements Standard Schema. */
interface TypedSchema {
  readonly '~standard': { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined }
}

/** A kind of job, as `defineJob` of `@harvestman/core` returns it. */
export interface Kind {
  readonly kind: string
  readonly request: TypedSchema
  readonly answer: TypedSchema
  readonly progress?: { readonly schema: TypedSchema } | undefined
}

type Types<Schema extends TypedSchema> = NonNullable<Schema['~standard']['types']>

/** Request options of a kind. */
export type KindRequest<One extends Kind> = Types<One['request']>['input']

/** Status of a job of a kind, with the progress fields of the kind. */
export type KindState<One extends Kind> = AnswerState<Types<One['answer']>['output']> &
  (unknown extends Types<NonNullable<One['progress']>['schema']>['output']
    ? object
    : Types<NonNullable<One['progress']>['schema']>['output'])

/** Status of a job with a single result. */
export interface AnswerState<Data = unknown> {
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  /** The result; present once the job is completed. */
  readonly data?: Data
  /** Error message of a failed job. */
  readonly error?: string
  readonly creditsUsed: number
  readonly createdAt: string
  readonly expiresAt: string
}

/** A job with a single result. */
export interface AnswerJob<State extends AnswerState = AnswerState> {
  readonly id: string
  /** Returns the status, and the result once the job is completed. */
  status(options?: WaitOptions): Promise<State>
  /** Waits until the job ends and returns its final status. */
  end(options?: WaitOptions): Promise<State>
  /** Cancels the job. Resolves to `false` if it had already ended. */
  cancel(options?: WaitOptions): Promise<boolean>
}

/** A kind of job in the server's list. */
export interface ListedKind {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly path: string
  /** Name of the main request option, such as the URL. */
  readonly about: string
  readonly example: Readonly<Record<string, unknown>>
  /** JSON Schemas of the request and the result. */
  readonly request: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>>
}

/**
 * Returns the path that starts jobs of a kind: `/v2/dead-links` for `dead_links`. Does not check that the server has this kind.
 */
export function pathOf(kind: Kind | string): string {
  return `/v2/${encodeURIComponent((typeof kind === 'string' ? kind : kind.kind).replaceAll('_', '-'))}`
}

const firstLook = 250
const laterLooks = 5_000

/**
 * Creates the handle of a job that has one result, such as an agent. Sends nothing by itself: methods of a job that does not
 * exist reject with a `HarvestmanError`. `end` polls every 0.25 to 5 seconds until the job has ended, and also returns failed
 * jobs.
 */
export function makeAnswerJob<State extends AnswerState>(
  http: Http,
  kind: Kind | string,
  id: string,
): AnswerJob<State> {
  const path = `${pathOf(kind)}/${encodeURIComponent(id)}`
  const status = async ({ signal }: WaitOptions = {}): Promise<State> => {
    const ask = { method: 'GET', path, signal, isRepeatable: true } as const
    const state = await http.ask<State & { readonly cancelled?: boolean }>(ask)
    // Clients of the public API expect `failed` for a cancelled agent.
    return state.cancelled ? { ...state, status: 'cancelled' } : state
  }
  return {
    id,
    status,
    end: async ({ signal } = {}) => {
      for (let wait = firstLook; ; wait = Math.min(wait * 1.5, laterLooks)) {
        const state = await status({ signal })
        if (state.status !== 'processing') return state
        await pause(wait, signal)
      }
    },
    cancel: ({ signal } = {}) => cancelAt(http, path, signal),
  }
}
