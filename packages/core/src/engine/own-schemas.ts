// Library schemas in requests, such as zod schemas. A request is stored as JSON and may run in another process, so the schema
// object stays in the caller's process. Values conform to the schema's input, and are parsed here before they are returned.
import { EngineError } from '@harvestman/ports'
import type { Job, JobError, JobEvent } from '../jobs/handle.ts'
import type { Format } from '../plugin/field.ts'
import { isSchemaOfLibrary, parseBy, type SchemaOfLibrary } from '../schema/json-schema.ts'
import type { AnyDocument } from '../scrape/document.ts'

/** Returns the document with its values parsed by library schemas. Rejects with `format_failed` if one does not fit. */
export type ParseDocument = (document: AnyDocument) => Promise<AnyDocument>

interface OwnSchema {
  readonly type: string
  /** Property of the document that has the value. */
  readonly as: string
  readonly schema: SchemaOfLibrary
}

/**
 * Creates a function that parses the values of a document by the library schemas in a request; `undefined` if the request has
 * none. It rejects with `format_failed` if a value does not fit, or if a schema throws.
 */
export function makeDocumentParser(request: unknown, formats: readonly Format[]): ParseDocument | undefined {
  const own = schemasIn(request, formats)
  if (own.length === 0) return undefined
  return async (document) => {
    const there = own.filter(({ as }) => document[as] !== undefined)
    const parsed = await Promise.all(there.map(async (one) => [one.as, await fitted(one, document[one.as])] as const))
    return { ...document, ...Object.fromEntries(parsed) }
  }
}

function schemasIn(request: unknown, formats: readonly Format[]): readonly OwnSchema[] {
  const page = pageOptionsIn(request)
  return listIn(page, 'formats').flatMap((entry) => {
    const type = typeof entry === 'string' ? entry : recordOf(entry)['type']
    const format = formats.find((one) => one.type === type)
    if (format?.valueFits === undefined) return []
    const older = format.optionsUnder === undefined ? {} : recordOf(page[format.optionsUnder])
    const options = { ...older, ...recordOf(entry) }
    const schema = options[format.valueFits]
    if (!isSchemaOfLibrary(schema)) return []
    return propertiesOf(format, options).map((as) => ({ type: format.type, as, schema }))
  })
}

/** Returns the properties of the document that have the value of a format. */
function propertiesOf(format: Format, options: Readonly<Record<string, unknown>>): readonly string[] {
  const { type: _, ...own } = options
  const parsed = format.options.safeParse(own)
  return (parsed.success ? format.propertiesFor?.(parsed.data) : undefined) ?? [format.as]
}

/** Returns the page options of a request. Requests for many pages have them in `scrapeOptions`. */
function pageOptionsIn(request: unknown): Readonly<Record<string, unknown>> {
  const { scrapeOptions, ...page } = recordOf(request)
  return scrapeOptions === undefined ? page : recordOf(scrapeOptions)
}

async function fitted({ type, schema }: OwnSchema, value: unknown): Promise<unknown> {
  const parsed = await parsedBy(schema, value, `The format ${type}`)
  if ('value' in parsed) return parsed.value
  const { problems } = parsed
  const message = `The format ${type} failed. What was found does not fit your schema. ${problems.join(' ')}`
  throw new EngineError('format_failed', message, { details: { format: type, reason: 'unfit', problems } })
}

/** Parses a value. A schema may run code of the caller, so an exception is reported as `format_failed`. */
async function parsedBy(schema: SchemaOfLibrary, value: unknown, what: string): ReturnType<typeof parseBy> {
  try {
    return await parseBy(schema, value)
  } catch (cause) {
    throw new EngineError('format_failed', `${what} failed: its schema threw an error.`, { cause })
  }
}

/**
 * Wraps a job so that `fit` parses its documents; without `fit`, returns the job itself. A document that does not fit is
 * omitted from `documents`, and is a `failed page` event in `events`. The stored job, its counts and `page` are unchanged.
 */
export function parseJobDocuments<Held extends Job>(job: Held, fit: ParseDocument | undefined): Held {
  if (!fit) return job
  return {
    ...job,
    documents: (options) => documentsBy(fit, job.documents(options)),
    events: (options) => eventsBy(fit, job.events(options)),
  }
}

async function* documentsBy(fit: ParseDocument, documents: AsyncIterable<AnyDocument>): AsyncGenerator<AnyDocument> {
  for await (const document of documents) {
    const parsed = await orFailure(fit(document))
    if (!EngineError.is(parsed)) yield parsed
  }
}

async function* eventsBy(fit: ParseDocument, events: AsyncIterable<JobEvent>): AsyncGenerator<JobEvent> {
  for await (const event of events) {
    if (event.type !== 'page') {
      yield event
      continue
    }
    const { document, id, job, at } = event
    const parsed = await orFailure(fit(document))
    if (EngineError.is(parsed)) yield { id, job, at, type: 'failed page', error: failedPage(document, at, parsed) }
    else yield { ...event, document: parsed }
  }
}

async function orFailure<Value>(work: Promise<Value>): Promise<Value | EngineError> {
  try {
    return await work
  } catch (error) {
    if (EngineError.is(error)) return error
    throw error
  }
}

function failedPage({ metadata }: AnyDocument, timestamp: string, { code, message }: EngineError): JobError {
  return { id: metadata.scrapeId, timestamp, url: metadata.sourceURL, code, error: message }
}

/**
 * Wraps a job that was found by id so that its documents are parsed by the library schemas in the formats of the call; without
 * any, returns the job itself. Rejects with `invalid_request` if the job did not request one of these formats, and as
 * `job.request` does.
 */
export async function withCallFormats<Held extends Job>(
  job: Held,
  call: object,
  formats: readonly Format[],
): Promise<Held> {
  const wanted = listIn(recordOf(call), 'formats').map(typeOf)
  if (wanted.length > 0) await checkAskedFor(job, wanted)
  return parseJobDocuments(job, makeDocumentParser(call, formats))
}

async function checkAskedFor(job: Pick<Job, 'request'>, wanted: readonly string[]): Promise<void> {
  const requested = listIn(pageOptionsIn(await job.request()), 'formats').map(typeOf)
  const missing = wanted.find((type) => !requested.includes(type))
  if (missing === undefined) return
  const message = `formats: this job did not request ${missing}. It requested ${requested.join(', ') || 'none'}.`
  throw new EngineError('invalid_request', message)
}

function typeOf(entry: unknown): string {
  const { type } = recordOf(entry)
  return String(typeof entry === 'string' ? entry.split('@')[0] : type)
}

interface Answered {
  readonly status: string
  readonly data?: unknown
  readonly error?: string
}

interface AnswerHeld<Status extends Answered> {
  status(): Promise<Status>
  end(options?: { readonly signal?: AbortSignal }): Promise<Status>
}

/** Property of the data that the schema is for; all of the data if undefined. */
interface Place {
  readonly under?: string | undefined
}

/**
 * Wraps a job with one result so that the result is parsed, or only its property `under`. If it does not fit, the status is
 * `failed`, without data; if the schema throws, `status` and `end` reject with `format_failed`. Returns the job unchanged if
 * `schema` is not a schema of a library.
 */
export function parseAnswer<Status extends Answered, Held extends AnswerHeld<Status>>(
  held: Held,
  schema: unknown,
  { under }: Place = {},
): Held {
  if (!isSchemaOfLibrary(schema)) return held
  const fit = async (status: Status): Promise<Status> => {
    const { data, ...rest } = status
    const value = under === undefined ? data : recordOf(data)[under]
    if (value === undefined) return status
    const parsed = await parsedBy(schema, value, 'The answer')
    if ('value' in parsed)
      return { ...status, data: under === undefined ? parsed.value : { ...recordOf(data), [under]: parsed.value } }
    const error = `The answer does not fit your schema. ${parsed.problems.join(' ')}`
    // Cast: `data` is optional in a status.
    return { ...rest, status: 'failed', error } as Status
  }
  return {
    ...held,
    status: async () => fit(await held.status()),
    end: async (options?: { readonly signal?: AbortSignal }) => fit(await held.end(options)),
  }
}

/** Returns the value at a path of an unvalidated request; `undefined` if there is none. */
export function schemaAtPath(request: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => recordOf(value)[name], request)
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function listIn(record: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const list = record[name]
  return Array.isArray(list) ? (list as readonly unknown[]) : []
}
