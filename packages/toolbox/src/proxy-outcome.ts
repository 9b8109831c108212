import { EngineError, type ProxyResult } from '@harvestman/ports'

const failures: ReadonlySet<string> = new Set(['connection_failed', 'bad_response', 'loaders_failed', 'timeout'])
// No connection, no valid response, or the proxy refuses its user: payment or a password required, or too many requests.
const downStatuses: ReadonlySet<unknown> = new Set([undefined, 0, 402, 407, 429])

/** Returns the outcome of a failed request for its proxy. */
export function proxyOutcome(error: unknown): ProxyResult['outcome'] {
  if (!EngineError.is(error)) return 'unknown'
  const { code, details } = error
  if (details['proxy'] === true) return downStatuses.has(details['status']) ? 'down' : 'failed'
  return failures.has(code) ? 'failed' : 'unknown'
}
