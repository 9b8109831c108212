import { client } from './api.ts'
import { hasFormats, targetOf, tried, triedAs, type Draft, type Kind, type Values } from './draft.ts'
import { askKinds } from './kinds.ts'
import { isUnreached, isWrong, mayWorkWithOptions, readAddresses, readRows } from './job.ts'
import { bodyOf, describe, formatFields, type Description, type Schema } from './schema.ts'

/** The part of a job to repeat: all of it, the URLs it did not reach, the failed pages, or one page with its options. */
export interface Again {
  readonly id: string
  readonly part: 'all' | 'rest' | 'failed' | { readonly url: string }
}

/** Returns which part of which job to repeat, by the query string of the form. `undefined` if it names no job. */
export function againOf(query: URLSearchParams): Again | undefined {
  const [again, rest, failed, url] = ['again', 'rest', 'failed', 'url'].map((name) => query.get(name))
  if (rest) return { id: rest, part: 'rest' }
  if (failed) return { id: failed, part: 'failed' }
  if (!again) return undefined
  return { id: again, part: url ? { url } : 'all' }
}

/**
 * Returns the request of a job as a draft, to be edited and sent again. Rejects if the job does not exist, or forms
 * cannot send requests of its kind.
 */
export async function draftOfJob({ id, part }: Again, signal: AbortSignal): Promise<Draft> {
  const [{ job, request }, description] = await Promise.all([client.findJob(id, { signal }), describe(), askKinds()])
  if (!triedAs(job.kind)) throw new Error(`There is no form for jobs of the kind ${job.kind}.`)
  const { kind } = job
  if (part === 'all') return draftOf(kind, request, description)
  const { urls: _, ...own } = request
  const isWithin = tried(kind).pageIn === 'scrapeOptions'
  const page = (isWithin ? request['scrapeOptions'] : own) as Values
  if (part !== 'rest' && part !== 'failed') return draftOf('scrape', { ...page, url: part.url }, description)
  const urls = await (part === 'rest' ? unreachedOf(id, signal) : failedOf(id, signal))
  return draftOf('batch', { ...page, urls }, description)
}

async function unreachedOf(id: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await readAddresses(id, signal)).filter(isUnreached).map(({ url }) => url)
}

async function failedOf(id: string, signal: AbortSignal): Promise<readonly string[]> {
  const rows = (await readRows(id, signal)).filter((row) => isWrong(row) && mayWorkWithOptions(row))
  return [...new Set(rows.map(({ url }) => url))]
}

/** Starts a batch of these pages with the options of the job. Resolves to its id. Rejects if the job does not exist. */
export async function retryPages(id: string, urls: readonly string[]): Promise<string> {
  const { job, request } = await client.findJob(id)
  const { urls: _, scrapeOptions, ...own } = request
  const options = job.kind === 'crawl' ? (scrapeOptions as Values | undefined) : own
  return (await client.batch({ ...options, urls })).id
}

/** Converts a request to a form draft. Values that equal the server's defaults are omitted. */
function draftOf(kind: Kind, request: Values, description: Description): Draft {
  const { name: target } = targetOf(kind)
  const { path, pageIn } = tried(kind)
  const schema = bodyOf(path, description)
  const { [target]: about, ...rest } = request
  const isWithin = pageIn === 'scrapeOptions'
  const { formats, ...options } = isWithin ? (rest['scrapeOptions'] as Values) : rest
  const set = isWithin ? { ...rest, scrapeOptions: options } : options
  const values = schema ? withoutUsual(set, schema) : set
  return {
    kind,
    url: Array.isArray(about) ? about.join('\n') : typeof about === 'string' ? about : '',
    ...(hasFormats(kind) ? formatsOf(formats, description) : { formats: [], formatValues: {} }),
    values,
  }
}

function formatsOf(given: unknown, description: Description): Pick<Draft, 'formats' | 'formatValues'> {
  const schema = bodyOf(tried('scrape').path, description)
  const fields = schema ? formatFields(schema) : new Map<string, never>()
  const all = (Array.isArray(given) ? given : ['markdown']) as readonly (
    | string
    | (Values & { readonly type: string })
  )[]
  const named = all.map((one): readonly [string, Values] => {
    if (typeof one === 'string') return [one, {}]
    const { type, ...options } = one
    const properties = Object.fromEntries((fields.get(type) ?? []).map((field) => [field.name, field.schema]))
    return [type, withoutUsual(options, { properties })]
  })
  return { formats: named.map(([name]) => name), formatValues: Object.fromEntries(named) }
}

function withoutUsual(values: Values, schema: Schema): Values {
  const left = Object.entries(values).flatMap(([name, value]) => {
    const field = schema.properties?.[name]
    if (same(value, field?.default)) return []
    if (!field?.properties || !isObject(value)) return [[name, value] as const]
    const inner = withoutUsual(value, field)
    return Object.keys(inner).length > 0 ? [[name, inner] as const] : []
  })
  return Object.fromEntries(left)
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function same(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => same(one[name], other[name]))
}
