// Messages between engines about a page that one engine owns and another loads.
import { EngineError, errorCodes, type ErrorCode, type Json } from '@harvestman/ports'
import { z } from 'zod'

import { lazily } from '../../lib/lazily.ts'
import { decodeReadings, type Reading } from '../../scrape/readings.ts'
import type { Scraped } from '../../scrape/scraped.ts'
import type { KeptDocument } from '../log/facts.ts'

const count = z.number().min(0)
const [maxStringLength, maxMessageLength] = [256, 4_096]
// Longer than any URL that is visited.
const address = z.string().max(8_192)

const lentPageSchema = lazily(() =>
  z.strictObject({
    task: z.int().min(0),
    url: address,
    /** Credits reserved for the page; unlimited if absent. */
    most: count.optional(),
    /** Milliseconds that the page was queued until its team had a free slot. */
    heldFor: count.optional(),
    isUnlinked: z.boolean().optional(),
    listed: z.strictObject({ at: z.number(), by: z.enum(['sitemap', 'feed']) }).optional(),
  }),
)

/** Request to another engine to load a page. */
export type RemotePage = z.infer<ReturnType<typeof lentPageSchema>>

const failedSchema = lazily(() =>
  z.strictObject({
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().max(maxMessageLength),
    /** The engine that loaded it was overloaded, so the failure reveals nothing about the host. */
    isBusy: z.boolean(),
  }),
)

const loadedSchema = lazily(() =>
  z.strictObject({
    url: address,
    status: z.int(),
    retryAfter: z.string().max(maxStringLength).optional(),
    latency: z.number().optional(),
    cacheState: z.enum(['hit', 'miss']).optional(),
    metadata: z.strictObject({
      creditsUsed: count,
      statusCode: z.int().optional(),
      title: z.string().max(maxStringLength).optional(),
    }),
    values: z.record(z.string(), z.unknown()),
    bytes: z.int().min(0),
    kept: z.strictObject({ log: z.string().max(maxStringLength), place: z.int().min(0), start: z.int().min(0) }),
  }),
)

const lentAnswerSchema = lazily(() => z.union([failedSchema(), loadedSchema()]))

/** Response of the engine that loaded a page: its facts and where its document is stored, or the error. */
export type RemoteAnswer = z.infer<ReturnType<typeof lentAnswerSchema>>

/** A page whose document another engine has stored. `document` has only part of the metadata. */
export interface LoadedElsewhere extends Scraped {
  readonly kept: KeptDocument & { readonly bytes: number }
}

/** Parses a request to load a page. Returns `undefined` if it is malformed. */
export function parseRemotePage(piece: Json): RemotePage | undefined {
  return lentPageSchema().safeParse(piece).data
}

/**
 * Parses another engine's response about a page. Returns `undefined` if it is malformed or too expensive; throws the error of a
 * failed load.
 */
export function parseLoadedPage(value: Json, { most }: RemotePage): LoadedElsewhere | undefined {
  const { data } = lentAnswerSchema().safeParse(value)
  if (!data) return undefined
  if ('code' in data) throw failureIn(data)
  const { url, status, retryAfter, latency, cacheState, metadata, values, bytes, kept } = data
  // The page must not cost more than was reserved for it.
  if (metadata.creditsUsed > (most ?? Infinity)) return undefined
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const page = { url, status, headers, latency }
  const loaded = { document: { metadata }, visit: { page, cacheState }, values, kept: { ...kept, bytes } }
  // Cast: kinds of jobs that let other engines load their pages read only these fields.
  return loaded as LoadedElsewhere
}

function failureIn({ code, message, isBusy }: z.infer<ReturnType<typeof failedSchema>>): EngineError {
  return new EngineError(code, message, isBusy ? { details: { machine: 'busy' } } : {})
}

/** Facts about a loaded page, without the location of its document. */
export type LoadedFacts = Omit<z.infer<ReturnType<typeof loadedSchema>>, 'bytes' | 'kept'>

/**
 * Extracts the facts about a page that this engine loaded for another engine, with only the values of these readings.
 * Encoded values are decoded and freed. `Retry-After` and the title are cut to 256 characters.
 */
export function factsOfPage(
  { document: { metadata }, visit: { page, cacheState }, values }: Scraped,
  readings: readonly Reading[],
): LoadedFacts {
  const { creditsUsed, statusCode, title } = metadata
  const decoded = decodeReadings(values, readings)
  const retryAfter = page.headers['retry-after']?.slice(0, maxStringLength)
  return {
    url: page.url,
    status: page.status,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(page.latency !== undefined && { latency: page.latency }),
    ...(cacheState !== undefined && { cacheState }),
    metadata: {
      creditsUsed,
      ...(statusCode !== undefined && { statusCode }),
      ...(typeof title === 'string' && { title: title.slice(0, maxStringLength) }),
    },
    values: Object.fromEntries(
      readings.flatMap(({ field }) => (decoded[field] === undefined ? [] : [[field, decoded[field]]])),
    ),
  }
}

/** Converts an error into the response for a page that was not loaded. Its message is cut to 4,096 characters. */
export function failureOf({ code, message, details }: EngineError): RemoteAnswer {
  return { code, message: message.slice(0, maxMessageLength), isBusy: details?.['machine'] === 'busy' }
}
