// Jobs of the kinds that plugins bring, typed by the kind that is given and by the schema that stands in the request.
import type { z } from 'zod'

import type { AnswerJob } from '../answers/answer.ts'
import type { PartJob } from '../answers/part-doors.ts'
import type { AnswerFits, AnswerStatus, JobPart } from '../plugin/job.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { OutputOf, SchemaInput } from '../schema/json-schema.ts'
import type { Known, Unchanging } from '../types.ts'
import type { FindAnswer, JobCall } from './job-call.ts'

/** The kinds of jobs that these plugins bring. */
export type JobsOf<Plugins extends readonly Plugin[]> = Plugins[number]['jobs'][number]

/** Request of a kind, as a caller writes it. */
export type RequestOf<Kind extends JobPart> = Unchanging<z.input<Kind['request']>>

type ValueAt<Value, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Value
    ? ValueAt<NonNullable<Value[Head]>, Rest>
    : undefined
  : Path extends keyof Value
    ? Value[Path]
    : undefined

/** The schema that stands in a request; nothing where there is none. */
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

/** A job of a kind, as a caller holds it. */
export type JobOf<Kind extends JobPart, Schema = undefined> = AnswerJob<StatusOf<Kind, Schema>>

export interface ByKind<Plugins extends readonly Plugin[]> {
  /** Begins a job of a kind that a plugin of this engine brings. With a schema of a library its answer has the type of that. */
  start<Kind extends JobsOf<Plugins>, const Request extends RequestOf<Kind>>(
    kind: Kind,
    request: Request & Known<Request, RequestOf<Kind>>,
    call?: JobCall,
  ): Promise<JobOf<Kind, SchemaIn<Kind, Request>>>
  /** A job of a kind, by its id. */
  find<Kind extends JobsOf<Plugins>, Schema extends SchemaInput | undefined = undefined>(
    kind: Kind,
    id: string,
    call?: FindAnswer<Schema>,
  ): Promise<JobOf<Kind, Schema>>
  /** The kinds of jobs that its plugins bring. */
  readonly kinds: readonly JobPart[]
}

/** Jobs of kinds for requests that come from elsewhere, by the name of the kind. */
export interface UncheckedKinds {
  start(kind: string, request: unknown, call?: JobCall): Promise<PartJob>
  find(kind: string, id: string, call?: FindAnswer): Promise<PartJob>
}
