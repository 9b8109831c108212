// Converts scrape requests and documents between version 1 and the engine. Pure functions.
import { EngineError, type AnyDocument } from '@harvestman/core'

import { isEncodedJson } from '@harvestman/ports/values'

import type { Settings } from '../route/route.ts'
import type { V1Request } from './schema.ts'

type Entry = NonNullable<V1Request['formats']>[number]

/**
 * Converts a version 1 scrape request, or its options, to the engine's options. Throws `invalid_request` if the format
 * `extract` or `json` lacks its options, if there are options without their format, or if both are requested with different
 * options.
 */
export function toCore(request: Omit<V1Request, 'url'>): Readonly<Record<string, unknown>> {
  checkExtractions(request)
  const { formats, extract, geolocation, ...rest } = request
  const location = rest.location ?? geolocation
  return {
    ...rest,
    ...(location && { location }),
    ...(formats && { formats: withoutExtract(formats, extract) }),
  }
}

/** Converts `extract` to the format `json`. One extraction serves both names if both are requested. */
function withoutExtract(formats: readonly Entry[], extract: unknown): unknown[] {
  if (!formats.includes('extract')) return [...formats]
  const isBoth = formats.some((entry) => isFor('json', entry))
  if (!isBoth)
    return formats.map((entry) =>
      entry === 'extract' ? { ...(extract as object), type: 'json', as: ['extract'] } : entry,
    )
  const others = formats.filter((entry) => entry !== 'extract')
  return others.map((entry) => (entry === 'json' ? { type: 'json', as: ['json', 'extract'] } : entry))
}

const together = "When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa"

function checkExtractions({ formats = [], extract, jsonOptions }: Omit<V1Request, 'url'>): void {
  const asksForJson = formats.some((entry) => isFor('json', entry))
  const hasOwnOptions = formats.some((entry) => typeof entry === 'object' && entry.type === 'json')
  const asksForExtract = formats.includes('extract')
  if (asksForExtract !== (extract !== undefined)) throw refusal('extract', together)
  if (!hasOwnOptions && asksForJson !== (jsonOptions !== undefined)) throw refusal('jsonOptions', together)
  if (!asksForExtract || !asksForJson) return
  const isTheSame = !hasOwnOptions && JSON.stringify(extract) === JSON.stringify(jsonOptions)
  if (isTheSame) return
  throw refusal('extract', 'extract and jsonOptions differ. Send two requests.')
}

function isFor(type: string, entry: Entry): boolean {
  return entry === type || (typeof entry === 'object' && entry.type === type)
}

/** Returns the `invalid_request` error for one field of a request. */
export function refusal(field: string, message: string): EngineError {
  return new EngineError('invalid_request', message, {
    details: { problems: [{ code: 'custom', path: [field], message }] },
  })
}

/**
 * Converts an engine document to version 1. The oldest clients read `llm_extraction`, whichever format was requested. If the
 * setting `changeTrackingDiff` is `text`, the diff is only its text. Returns a new document.
 */
export function fromCore<Document extends Partial<AnyDocument>>(
  document: Document,
  { changeTrackingDiff }: Settings,
): Document {
  const extracted = document['json'] ?? document['extract']
  const changeTracking = plain(document.changeTracking)
  return {
    ...document,
    ...(extracted !== undefined && { llm_extraction: extracted }),
    ...(changeTrackingDiff === 'text' && hasDiff(changeTracking) && { changeTracking: withTextDiff(changeTracking) }),
  }
}

/** Decodes a value that is already encoded as JSON. */
function plain(value: unknown): unknown {
  return isEncodedJson(value) ? value.toJSON() : value
}

interface Tracked {
  readonly diff: { readonly text: string }
}

function hasDiff(value: unknown): value is Tracked {
  const { diff } = (value ?? {}) as Partial<Tracked>
  return typeof diff === 'object' && diff !== null && typeof diff.text === 'string'
}

function withTextDiff({ diff, ...rest }: Tracked): object {
  return { ...rest, diff: diff.text }
}

/** Converts a document that is read later by id: its metadata lacks the fields that version 1 did not have there. */
export function fromCoreLater(document: AnyDocument, settings: Settings): object {
  const { url: _, concurrencyLimited: __, concurrencyQueueDurationMs: ___, ...metadata } = document.metadata
  return { ...fromCore(document, settings), metadata }
}
