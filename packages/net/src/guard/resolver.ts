import dns from 'node:dns'

import { type Address, EngineError } from '@harvestman/ports'
import { errorCode } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

/** Resolves a host name to all of its IPs, best first, or rejects. */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly Address[]>

const maxWait = 10_000
const cacheTime = 5_000
const maxCached = 1_000

/**
 * Creates a resolver that uses the operating system, including `/etc/hosts`. It rejects with `dns_failed`, at the latest after
 * 10 seconds, or with the signal's reason. Concurrent lookups of a name are combined, because each uses one of the few threads
 * of the process. Results are cached for 5 seconds. The guard checks them each time, so a cached result cannot bypass it.
 */
export function systemResolver(): Resolver {
  const answers = recentlyUsed<string, { readonly answer: Promise<readonly Address[]>; readonly until: number }>(
    maxCached,
  )

  const ask = (host: string): Promise<readonly Address[]> => {
    const known = answers.get(host)
    if (known && performance.now() < known.until) return known.answer
    const answer = lookUp(host)
    answers.set(host, { answer, until: performance.now() + cacheTime })
    answer.catch(() => answers.delete(host))
    return answer
  }

  return async (host, signal) => {
    const deadline = AbortSignal.timeout(maxWait)
    try {
      return await untilAborted(ask(host), AbortSignal.any([signal, deadline]))
    } catch (cause) {
      signal.throwIfAborted()
      throw lookUpFailed(host, cause, deadline.aborted)
    }
  }
}

function lookUp(host: string): Promise<readonly Address[]> {
  return new Promise((resolve, reject) => {
    dns.lookup(host, { all: true, order: 'verbatim' }, (error, found) => {
      if (error) reject(error)
      else resolve(found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })))
    })
  })
}

function lookUpFailed(host: string, cause: unknown, isLate: boolean): EngineError {
  const code = errorCode(cause)
  const what = isLate
    ? `The host name "${host}" was not resolved within ${maxWait / 1_000} seconds. Try again later.`
    : code === 'ENOTFOUND' || code === 'ENODATA'
      ? `The host name "${host}" does not exist. Check its spelling.`
      : `The host name "${host}" could not be resolved. Try again later.`
  return new EngineError('dns_failed', what, { cause, details: { host } })
}
