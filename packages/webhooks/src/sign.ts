import { createHmac, timingSafeEqual } from 'node:crypto'

/** Identifies a delivery. The id is the same in each attempt, so that a receiver recognizes repeats. */
export interface Stamp {
  readonly id: string
  /** Seconds since 1970, new in each attempt. */
  readonly timestamp: number
}

/**
 * Returns the headers that prove the origin of a message. `X-Firecrawl-Signature` is defined by the public API and covers only
 * the body. The others are defined by Standard Webhooks and also cover the id and the time, to prevent replay attacks. While a
 * secret is being rotated, both secrets sign, but only the first in `X-Firecrawl-Signature`. Without secrets only id and time
 * are returned.
 */
export function signedHeaders(
  body: Uint8Array,
  { id, timestamp }: Stamp,
  secrets: readonly string[],
): Record<string, string> {
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
  const [first] = secrets
  if (first === undefined) return headers
  const hex = createHmac('sha256', first).update(body).digest('hex')
  const signatures = secrets.map((secret) => `v1,${standardSignature(body, { id, timestamp }, secret)}`)
  return { ...headers, 'webhook-signature': signatures.join(' '), 'x-firecrawl-signature': `sha256=${hex}` }
}

function standardSignature(body: Uint8Array, { id, timestamp }: Stamp, secret: string): string {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

function keyOf(secret: string): Uint8Array | string {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
}

/** A received webhook message. */
export interface Received {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body as received, not parsed and serialized again. */
  readonly body: Uint8Array | string
}

/** Maximum age of a message in seconds, and maximum time in the future. */
const tolerance = 300

/**
 * Returns whether a message was signed with one of the secrets, for receivers. False if a header is missing, or if its time
 * differs from `now`, in milliseconds since 1970, by more than 5 minutes, because it may be an old message sent again.
 */
export function verifyWebhook(
  { headers, body }: Received,
  secrets: string | readonly string[],
  now = Date.now(),
): boolean {
  const id = headers['webhook-id']
  const timestamp = Number(headers['webhook-timestamp'])
  const signatures = headers['webhook-signature']?.split(' ') ?? []
  if (id === undefined || !Number.isInteger(timestamp) || Math.abs(now / 1000 - timestamp) > tolerance) return false
  const bytes = Buffer.from(body)
  const expected = [secrets].flat().map((secret) => `v1,${standardSignature(bytes, { id, timestamp }, secret)}`)
  return expected.some((one) => signatures.some((other) => isSame(one, other)))
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
