import { EngineError, type Fetcher, type Guard, type WireResponse } from '@harvestman/ports'

/** The response of a URL: a string, bytes, a status, a status with headers and body, or an error. */
export type FakeAnswer =
  | string
  | Uint8Array
  | number
  | EngineError
  | { readonly status: number; readonly location?: string; readonly body?: string | Uint8Array }

/** A fetcher and a guard over a table of responses. */
export interface FakeWeb {
  readonly fetcher: Fetcher
  readonly guard: Guard
  /** Every requested URL, in order. */
  readonly requested: readonly string[]
}

/** Options of a fake web. */
export interface FakeWebOptions {
  /** Hosts that the guard rejects. */
  readonly refuse?: readonly string[]
  /** Size of the chunks of a body in bytes; 0 returns it whole. */
  readonly piece?: number
}

/**
 * Creates a web from a table of responses. Other URLs respond with 404. `guard.checkUrl` throws `url_blocked` for hosts in
 * `refuse`, and `guard.resolve` always rejects. `piece` is the size of chunks in bytes, by default 1,000.
 */
export function fakeWeb(answers: Readonly<Record<string, FakeAnswer>>, options: FakeWebOptions = {}): FakeWeb {
  const { refuse = [], piece = 1_000 } = options
  const requested: string[] = []
  const checkUrl = ({ hostname }: URL): void => {
    if (refuse.includes(hostname)) throw new EngineError('url_blocked', 'This address may not be visited.')
  }
  const fetcher: Fetcher = {
    exchange: async ({ url, take }, signal) => {
      signal.throwIfAborted()
      requested.push(url.href)
      const response = respond(answers[url.href] ?? 404)
      const taker = response.status >= 300 && response.status < 400 ? undefined : take?.(response)
      if (!taker || piece === 0) return response
      for (let at = 0; at < response.body.length; at += piece) {
        await taker(response.body.subarray(at, at + piece))
        signal.throwIfAborted()
      }
      return { ...response, body: new Uint8Array() }
    },
    close: async () => undefined,
  }
  return {
    requested,
    fetcher,
    guard: { checkUrl, resolve: () => Promise.reject(new Error('there are no connections here')) },
  }
}

function respond(answer: FakeAnswer): WireResponse {
  if (EngineError.is(answer)) throw answer
  if (typeof answer === 'number') return { status: answer, headers: [], body: Buffer.from('<p>No.</p>') }
  if (typeof answer === 'string' || answer instanceof Uint8Array)
    return { status: 200, headers: [], body: Buffer.from(answer) }
  const { status, location, body = '' } = answer
  return { status, headers: location === undefined ? [] : [['location', location]], body: Buffer.from(body) }
}
