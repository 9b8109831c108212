// Keys under which recorded requests are found again in a replay. Secrets are redacted first, so that they are not part of the
// key.
import { hash } from 'node:crypto'

import type { Question, SearchQuery } from '@harvestman/ports'

import type { Redaction } from '@harvestman/toolbox/redaction'

/** An HTTP request, as far as it matters for the key. */
export interface KeyedRequest {
  readonly method: string
  readonly url: string
  readonly body?: Uint8Array | undefined
}

/** Returns the key of an HTTP request: method, URL without fragment, and digest of the body, if any. */
export function exchangeKey({ method, url, body }: KeyedRequest, redaction: Redaction): string {
  const [address = ''] = redaction.address(url).split('#', 1)
  const sent = body === undefined || body.length === 0 ? '' : ` ${digestOf(redaction.bytes(body))}`
  return `${method} ${address}${sent}`
}

// UUIDs differ with each run, so they are not part of the key.
const uuids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/**
 * Returns the key of a question to a model: the SHA-256 digest of the redacted question. Ids (UUIDs) in the question do not
 * change it.
 */
export function questionKey(question: Question, redaction: Redaction): string {
  return digestOf(Buffer.from(redaction.text(JSON.stringify(question)).replaceAll(uuids, '')))
}

/** Returns the key of a search: the SHA-256 digest of the redacted query. The team does not change it. */
export function searchKey(asked: SearchQuery, redaction: Redaction): string {
  const { team: _, ...query } = asked
  return digestOf(Buffer.from(redaction.text(JSON.stringify(query))))
}

/** Returns the SHA-256 digest of a body in the notation of WARC files: `sha256:` and hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`
}
