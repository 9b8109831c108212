// By what something that is asked again is found.
import { hash } from 'node:crypto'

import type { Question, SearchQuery } from '@harvestman/ports'

import type { Redaction } from './secrets.ts'

/** What is asked over HTTP. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly body?: Uint8Array | undefined
}

export function exchangeKey({ method, url, body }: Asked, redaction: Redaction): string {
  const [address = ''] = redaction.address(url).split('#', 1)
  const sent = body === undefined || body.length === 0 ? '' : ` ${digestOf(redaction.bytes(body))}`
  return `${method} ${address}${sent}`
}

// Marks that are new each time: they say nothing about what is asked.
const uuids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

export function questionKey(question: Question, redaction: Redaction): string {
  return digestOf(Buffer.from(redaction.text(JSON.stringify(question)).replaceAll(uuids, '')))
}

export function searchKey(asked: SearchQuery, redaction: Redaction): string {
  const { team: _, ...query } = asked
  return digestOf(Buffer.from(redaction.text(JSON.stringify(query))))
}

/** The digest of a body, as archives write it. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`
}
