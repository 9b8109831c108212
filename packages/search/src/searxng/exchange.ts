import { EngineError } from '@harvestman/ports'

import { searchFailed, searchNotConfigured, searchUnavailable } from '../faults.ts'

export interface ExchangeLimits {
  readonly headers: Readonly<Record<string, string>>
  readonly timeout: number
  readonly maxBytes: number
}

/**
 * Sends one search request and returns the parsed JSON. Does not retry, because that would not help a busy instance; the caller
 * may. Rejects with `search_failed`, `not_configured`, or `search_unavailable`, also after `timeout` milliseconds, and with the
 * signal's reason if it is aborted.
 */
export async function askSearxng(
  address: URL,
  { headers, timeout, maxBytes }: ExchangeLimits,
  signal: AbortSignal,
): Promise<unknown> {
  const late = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(address, {
      headers: { ...headers, accept: 'application/json' },
      // Only this origin is trusted by the operator, so redirects are not followed.
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw judgeStatus(response)
    }
    return parse(await readText(response, maxBytes))
  } catch (error) {
    signal.throwIfAborted()
    if (EngineError.is(error)) throw error
    if (late.aborted) throw searchUnavailable('silent', `SearXNG did not respond within ${timeout} ms.`)
    throw searchUnavailable('connection', `SearXNG at ${address.origin} could not be reached.`, error)
  }
}

async function readText(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving the loop early closes the connection.
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > most)
      throw searchFailed('too_large', `The response of SearXNG has more than ${most} bytes, and was not read.`)
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw searchFailed('bad_answer', notJson, cause)
  }
}

const notJson =
  'The response of SearXNG is not JSON. Check its endpoint, and add json to search.formats in its settings.'

function judgeStatus({ status, headers }: Response): EngineError {
  if (status >= 300 && status < 400)
    return searchNotConfigured(
      'SearXNG redirects elsewhere, which is not followed. Set its endpoint to where it leads.',
    )
  // SearXNG returns 403 if JSON is not an enabled format.
  if (status === 401 || status === 403)
    return searchNotConfigured(
      'SearXNG refuses (status 403 or 401). Add json to search.formats in its settings, or a key.',
    )
  if (status === 404)
    return searchNotConfigured('There is no SearXNG at its endpoint. Set it to the URL of the instance.')
  if (status === 429 || status === 503) {
    const seconds = Number(headers.get('retry-after'))
    const after = Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 3_600) : undefined
    return searchUnavailable('busy', 'SearXNG is busy. Try again later, or raise its limits.', undefined, after)
  }
  if (status < 500) return searchFailed('bad_request', `SearXNG rejected the search (status ${status}).`)
  return searchUnavailable('server', `SearXNG failed with status ${status}.`)
}
