// One value from many pages: each is read by the format json in the shape of the schema, and what they give is merged.
import { loosened, mergeValues } from '../asking/merge.ts'
import { notesOf } from '../batch/batch.ts'
import { addressStrategy } from '../batch/strategy.ts'
import { tokenPricing } from '../credits/pricing.ts'
import { tariff } from '../credits/tariff.ts'
import { EngineError } from '../errors/error.ts'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { JobKind } from '../jobs/run/strategy.ts'
import { findMisfits, sayMisfits } from '../lib/json-schema/check.ts'
import { parseWebUrl } from '../net/url.ts'
import type { Json } from '../ports/value.ts'
import type { ExtractRequest } from '../schema/extract.ts'

/** A job whose pages give one value. */
export interface Extraction {
  readonly id: string
  /** The addresses of the request that are none. */
  readonly invalidURLs: readonly string[]
  status(): Promise<ExtractStatus>
  /** Ends the job. Resolves to whether this did it. */
  cancel(): Promise<boolean>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<ExtractStatus>
}

export interface ExtractStatus {
  readonly id: string
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  /** There when it is completed. */
  readonly data?: Json
  /** For each field, the pages it is from; only for who asked. */
  readonly sources?: Readonly<Record<string, readonly string[]>>
  /** Why it failed. */
  readonly error?: string
  /** What is odd about the data. */
  readonly warning?: string
  readonly creditsUsed: number
  readonly expiresAt: string
}

export interface ExtractCall {
  readonly team: string
  readonly idempotencyKey?: string | undefined
  readonly key?: string | undefined
}

export interface ExtractKit {
  readonly jobs: Jobs
  /** The pages of a site, those first that fit the words best. */
  addresses(site: WantedSite, team: string): Promise<readonly string[]>
}

export interface WantedSite {
  readonly url: string
  readonly words: string | undefined
  readonly request: ExtractRequest
}

export const extractKind = 'extract'

/** Opens a job for the pages that the addresses stand for. */
export async function openExtract(request: ExtractRequest, call: ExtractCall, kit: ExtractKit): Promise<Extraction> {
  const invalidURLs: string[] = []
  const urls = new Set<string>()
  for (const given of request.urls) {
    const isSite = given.endsWith('/*')
    const { text, problem } = parseWebUrl(isSite ? given.slice(0, -1) : given)
    if (text === undefined) {
      if (!request.ignoreInvalidURLs) throw new EngineError('invalid_request', `urls: ${given} ${problem}`)
      invalidURLs.push(given)
    } else if (isSite) {
      const found = await kit.addresses({ url: text, words: request.prompt, request }, call.team)
      for (const url of found.slice(0, request.limit)) urls.add(url)
    } else urls.add(text)
  }
  if (urls.size === 0) throw new EngineError('invalid_request', 'urls: none of them is the address of a page.')
  const job = await kit.jobs.open({
    ...call,
    kind: extractKind,
    request,
    notes: notesOf([...urls]),
    left: urls.size,
    credits: Math.min(urls.size * tariff.page, request.maxCredits ?? Infinity),
  })
  return extractionOf(job, invalidURLs)
}

/** To an extract, a job of another kind is not there. */
export async function findExtract(id: string, team: string, jobs: Jobs): Promise<Extraction> {
  const job = await jobs.find(id, team)
  if (job.kind === extractKind) return extractionOf(job, [])
  throw new EngineError('not_found', 'There is no extract under this id, or it has expired.')
}

/** The pages are visited like those of a batch. */
export const extractJobs: JobKind = {
  name: extractKind,
  eventPrefix: 'extract',
  pricing: tokenPricing,
  pages: ({ request }) => pagesOf(request as ExtractRequest),
  open: (opening, context) => {
    const request = opening.request as ExtractRequest
    return addressStrategy({ ...opening, request: pagesOf(request) }, context)
  },
}

/** What is asked of each page. What must be there may stand on another. */
export function pagesOf({ schema, prompt, systemPrompt, scrapeOptions, ...request }: ExtractRequest) {
  const { maxConcurrency, zeroDataRetention } = request
  const options = {
    ...(schema && { schema: loosened(schema) }),
    ...(prompt !== undefined && { prompt }),
    ...(systemPrompt !== undefined && { systemPrompt }),
  }
  return {
    ...scrapeOptions,
    formats: [{ type: 'json', ...options }],
    // A model takes longer than a page.
    timeout: Math.max(scrapeOptions.timeout, 60_000),
    zeroDataRetention: zeroDataRetention || scrapeOptions.zeroDataRetention,
    ...(maxConcurrency !== undefined && { maxConcurrency }),
  }
}

function extractionOf(job: Job, invalidURLs: readonly string[]): Extraction {
  const status = async (): Promise<ExtractStatus> => statusFrom(job, await job.status())
  return {
    id: job.id,
    invalidURLs,
    status,
    cancel: () => job.cancel(),
    end: async (options) => statusFrom(job, await job.end(options)),
  }
}

async function statusFrom(job: Job, { status, completed, message, ...rest }: JobStatus): Promise<ExtractStatus> {
  const { id, creditsUsed, expiresAt } = rest
  const base = { id, creditsUsed, expiresAt }
  if (status === 'scraping') return { ...base, status: 'processing' }
  if (status === 'cancelled') return { ...base, status }
  if (status === 'failed' || completed === 0)
    return { ...base, status: 'failed', error: message ?? (await firstError(job)) }
  const asked: unknown = rest.request
  const request = asked as ExtractRequest
  const found = await valuesOf(job)
  const data = mergeValues(found.map(({ value }) => value))
  const misfits = request.schema ? findMisfits(data, request.schema) : []
  return {
    ...base,
    status: 'completed',
    data,
    ...(request.showSources && { sources: sourcesOf(found) }),
    ...(misfits.length > 0 && {
      warning: `The pages do not give all that the schema asks for. ${sayMisfits(misfits)}`,
    }),
  }
}

async function firstError(job: Job): Promise<string> {
  const { errors } = await job.errors()
  return errors[0]?.error ?? 'No page gave a value.'
}

interface FoundValue {
  readonly url: string
  readonly value: Json
}

async function valuesOf(job: Job): Promise<readonly FoundValue[]> {
  const found: FoundValue[] = []
  for await (const document of job.documents()) {
    const { json, metadata } = document
    if (json !== undefined) found.push({ url: metadata.sourceURL, value: json as Json })
  }
  return found
}

function sourcesOf(found: readonly FoundValue[]): Readonly<Record<string, readonly string[]>> {
  const sources: Record<string, string[]> = {}
  for (const { url, value } of found) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const [name, part] of Object.entries(value)) {
      const isThere = part !== null && part !== undefined && part !== '' && !(Array.isArray(part) && part.length === 0)
      if (isThere) (sources[name] ??= []).push(url)
    }
  }
  return sources
}
