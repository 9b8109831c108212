// Jobs of the kinds that plugins of a server bring. Of a kind only its name is read; what it is asked for and answers is known
// by its types, so that a type-only import will do.
import { pause, type Http } from './http.ts'
import { cancelAt, type WaitOptions } from './job.ts'

/** A schema of a library, by the interface of Standard Schema. */
interface TypedSchema {
  readonly '~standard': { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined }
}

/** A kind of job, as `defineJob` of `@harvestman/core` gives it. */
export interface Kind {
  readonly kind: string
  readonly request: TypedSchema
  readonly answer: TypedSchema
  readonly progress?: { readonly schema: TypedSchema } | undefined
}

type Types<Schema extends TypedSchema> = NonNullable<Schema['~standard']['types']>

/** What a kind can be asked for. */
export type KindRequest<One extends Kind> = Types<One['request']>['input']

/** How a job of a kind stands, with what it tells of itself on its way. */
export type KindState<One extends Kind> = AnswerState<Types<One['answer']>['output']> &
  (unknown extends Types<NonNullable<One['progress']>['schema']>['output']
    ? object
    : Types<NonNullable<One['progress']>['schema']>['output'])

/** How a job with one answer stands. */
export interface AnswerState<Data = unknown> {
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  /** There when it is completed. */
  readonly data?: Data
  /** Why it failed. */
  readonly error?: string
  readonly creditsUsed: number
  readonly createdAt: string
  readonly expiresAt: string
}

/** A job that has one answer. */
export interface AnswerJob<State extends AnswerState = AnswerState> {
  readonly id: string
  /** How it stands, with its answer when it is completed. */
  status(options?: WaitOptions): Promise<State>
  /** Waits for the end, and says how it ended. */
  end(options?: WaitOptions): Promise<State>
  /** Ends the job. Gives `false` when it was over already. */
  cancel(options?: WaitOptions): Promise<boolean>
}

/** A kind of job that a server has, as it tells of it. */
export interface ListedKind {
  readonly kind: string
  readonly title: string
  readonly says: string
  readonly path: string
  /** The option that says what a job is about. */
  readonly about: string
  readonly example: Readonly<Record<string, unknown>>
  /** JSON Schema of what it is asked for, and of its answer. */
  readonly request: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>>
}

/** Where jobs of a kind are started. */
export function pathOf(kind: Kind | string): string {
  return `/v2/${encodeURIComponent((typeof kind === 'string' ? kind : kind.kind).replaceAll('_', '-'))}`
}

const firstLook = 250
const laterLooks = 5_000

export function makeAnswerJob<State extends AnswerState>(
  http: Http,
  kind: Kind | string,
  id: string,
): AnswerJob<State> {
  const path = `${pathOf(kind)}/${encodeURIComponent(id)}`
  const status = ({ signal }: WaitOptions = {}): Promise<State> =>
    http.ask({ method: 'GET', path, signal, isRepeatable: true })
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
