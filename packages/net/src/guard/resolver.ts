import dns from 'node:dns'

import { type Address, EngineError } from '@harvestman/ports'
import { recentlyUsed, untilAborted, errorCode } from '@harvestman/ports/adapters'

/** Gives all addresses of a name, the best first, or rejects. */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly Address[]>

const longestWait = 10_000
const keptFor = 5_000
const mostKept = 1_000

/**
 * Asks the operating system, and so `/etc/hosts` too. A name that many connections ask for at once is looked up once:
 * each look-up holds one of the few threads of the process. An answer is kept for a moment; the guard that uses it checks it
 * again each time, so an old answer can open nothing.
 */
export function systemResolver(): Resolver {
  const answers = recentlyUsed<string, { readonly answer: Promise<readonly Address[]>; readonly until: number }>(
    mostKept,
  )

  const ask = (host: string): Promise<readonly Address[]> => {
    const known = answers.get(host)
    if (known && performance.now() < known.until) return known.answer
    const answer = lookUp(host)
    answers.set(host, { answer, until: performance.now() + keptFor })
    answer.catch(() => answers.delete(host))
    return answer
  }

  return async (host, signal) => {
    const deadline = AbortSignal.timeout(longestWait)
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
    ? `No name server gave the address of "${host}" within ${longestWait / 1_000} seconds. Try again later.`
    : code === 'ENOTFOUND' || code === 'ENODATA'
      ? `There is no host with the name "${host}". Check its spelling.`
      : `The address of "${host}" could not be found out. Try again later.`
  return new EngineError('dns_failed', what, { cause, details: { host } })
}
