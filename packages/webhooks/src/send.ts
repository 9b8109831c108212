import { EngineError, type Fetcher, type Guard, type WireHead } from '@harvestman/ports'
import { retryAfter } from '@harvestman/toolbox/retry-after'
import { isSealed } from '@harvestman/toolbox/sealed'
import { signedHeaders } from './sign.ts'

/** The target of messages. */
export interface Receiver {
  readonly url: string
  /** Headers sent with each message, except the signature headers, which cannot be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Dependencies and settings for sending. */
export interface WebhookSender {
  readonly fetcher: Fetcher
  readonly guard: Guard
  readonly now: () => number
  readonly secrets: readonly string[]
  readonly team: string
  /** Timeout for the response in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined
}

/** Outcome of an attempt. */
export type Delivery =
  | 'taken'
  /** What the message is about is no longer stored, so that it is never sent. */
  | 'lost'
  | {
      readonly why: string
      /** The receiver wants no more messages. */
      readonly isFinal?: boolean
      /** Delay that the receiver requests before the next attempt, in milliseconds. */
      readonly wait?: number | undefined
    }

const defaultTimeout = 10_000
const maxBytes = 65_536
/** Milliseconds to wait for the response body, so that the connection can be reused. */
const bodyTimeout = 1_000

/**
 * Sends a message once, to exactly this URL, within `timeout` milliseconds, by default 10,000. Redirects are not followed. A
 * status of 2xx is `taken`. Failures do not reject: the result then has the reason, and is final for status 410. Rejects if the
 * signal is aborted, or the URL is not valid.
 */
export async function send(
  { url: text, headers }: Receiver,
  { id, body }: { readonly id: string; readonly body: Uint8Array },
  { fetcher, guard, now, secrets, team, timeout = defaultTimeout }: WebhookSender,
  signal: AbortSignal,
): Promise<Delivery> {
  if (isSealed(text) || isSealed(headers))
    return { why: 'The credentials of the webhook were encrypted with another key (HARVESTMAN_SECRET_KEY).' }
  const url = new URL(text)
  const stamp = { id, timestamp: Math.floor(now() / 1000) }
  let head: WireHead | undefined
  // The status is sufficient: the end of the body is not required.
  const enough = new AbortController()
  const late = setTimeout(() => enough.abort(new DOMException('', 'TimeoutError')), timeout)
  let tooLong: NodeJS.Timeout | undefined
  try {
    guard.checkUrl(url)
    const answer = await fetcher.exchange(
      {
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...withoutOurs(headers),
          ...signedHeaders(body, stamp, secrets),
        },
        body,
        owner: `webhooks of ${team}`,
        // A declared length must not prevent reading the status; the received bytes are counted below.
        maxBytes: Number.MAX_SAFE_INTEGER,
        take: (given) => {
          head = given
          tooLong = setTimeout(() => enough.abort(), bodyTimeout)
          let bytes = 0
          return (piece) => {
            bytes += piece.length
            if (bytes > maxBytes) enough.abort()
            return undefined
          }
        },
      },
      AbortSignal.any([signal, enough.signal]),
    )
    head ??= answer
  } catch (error) {
    signal.throwIfAborted()
    if (!head) return { why: whyOf(error, timeout) }
  } finally {
    clearTimeout(late)
    clearTimeout(tooLong)
  }
  const { status } = head
  if (status >= 200 && status < 300) return 'taken'
  const header = head.headers.find(([name]) => name === 'retry-after')?.[1]
  const wait = header === undefined ? undefined : retryAfter(header, now())
  return { why: `The receiver responded with status ${status}.`, isFinal: status === 410, wait }
}

function whyOf(error: unknown, timeout: number): string {
  if (EngineError.is(error)) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The receiver did not respond within ${timeout / 1000} seconds.`
  return 'The receiver could not be reached.'
}

const ours = /^(?:webhook-|x-firecrawl-signature$)/i

/** Receivers trust our signature headers, so callers can never set them, even if nothing is signed. */
function withoutOurs(headers: Receiver['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !ours.test(name)))
}
