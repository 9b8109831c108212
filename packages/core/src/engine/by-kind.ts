// Types of jobs of plugins' kinds, by the kind and by the schema in the request.
import type { z } from 'zod'

import type { AnswerJob } from '../answers/answer.ts'
import type { PartJob, PartStatus } from '../answers/part-job.ts'
import type { AnswerFits, AnswerStatus, JobPart, JobThread } from '../plugin/job.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { OutputOf, SchemaInput } from '../schema/json-schema.ts'
import type { Known, Unchanging } from '../types.ts'
import type { FindAnswer, JobCall } from './job-call.ts'

/** Kinds of jobs of these plugins. */
export type JobsOf<Plugins extends readonly Plugin[]> = Plugins[number]['jobs'][number]

/** Request of a kind, as a caller passes it. */
export type RequestOf<Kind extends JobPart> = Unchanging<z.input<Kind['request']>>

type ValueAt<Value, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Value
    ? ValueAt<NonNullable<Value[Head]>, Rest>
    : undefined
  : Path extends keyof Value
    ? Value[Path]
    : undefined

/** Type of the schema in a request; `undefined` if there is none. */
type SchemaIn<Kind extends JobPart, Request> = Kind['answerFits'] extends AnswerFits
  ? ValueAt<Request, Kind['answerFits']['schema']>
  : undefined

type DataOf<Kind extends JobPart, Schema> = Schema extends SchemaInput
  ? Kind['answerFits'] extends { readonly under: infer Under extends string }
    ? Omit<z.output<Kind['answer']>, Under> & { readonly [Name in Under]?: OutputOf<Schema> }
    : OutputOf<Schema>
  : z.output<Kind['answer']>

/** Status of a job of a kind. */
export type StatusOf<Kind extends JobPart, Schema = undefined> = AnswerStatus<DataOf<Kind, Schema>> &
  Readonly<z.output<NonNullable<Kind['progress']>['schema']>> & { readonly request: z.output<Kind['request']> }

/** Handle of a job of a kind. */
export type JobOf<Kind extends JobPart, Schema = undefined> = AnswerJob<StatusOf<Kind, Schema>> &
  Pick<PartJob, 'thread'>

/** Members of the engine for kinds of jobs of its plugins. */
export interface ByKind<Plugins extends readonly Plugin[]> {
  /** Starts a job of a plugin's kind. If the request has a library schema, the result has its type. */
  start<Kind extends JobsOf<Plugins>, const Request extends RequestOf<Kind>>(
    kind: Kind,
    request: Request & Known<Request, RequestOf<Kind>>,
    call?: JobCall,
  ): Promise<JobOf<Kind, SchemaIn<Kind, Request>>>
  /** Finds a job of a kind by its id. */
  find<Kind extends JobsOf<Plugins>, Schema extends SchemaInput | undefined = undefined>(
    kind: Kind,
    id: string,
    call?: FindAnswer<Schema>,
  ): Promise<JobOf<Kind, Schema>>
  /** Finds a thread of jobs of a kind, with the status of each. Rejects with `not_found`. */
  findThread<Kind extends JobsOf<Plugins>>(
    kind: Kind,
    id: string,
    call?: Omit<FindAnswer, 'schema'>,
  ): Promise<JobThread<StatusOf<Kind>>>
  /** Kinds of jobs of the engine's plugins. */
  readonly kinds: readonly JobPart[]
}

/** Starts and finds jobs from untyped requests. `kind` is the name of the kind. */
export interface UncheckedKinds {
  start(kind: string, request: unknown, call?: JobCall): Promise<PartJob>
  find(kind: string, id: string, call?: FindAnswer): Promise<PartJob>
  findThread(kind: string, id: string, call?: Omit<FindAnswer, 'schema'>): Promise<JobThread<PartStatus>>
}
