import { EngineError } from '@harvestman/ports'
import { isSealed } from '@harvestman/toolbox/sealed'

// All pages of a job share one request object, which never changes, so each is checked once.
const readable = new WeakSet<object>()

/**
 * Throws `not_configured` if credentials of a stored request were encrypted with another key, because the request would load
 * another page without them.
 */
export function checkReadable(request: object): void {
  if (readable.has(request)) return
  const missing = [...new Set(sealedIn(request))]
  if (missing.length === 0) return void readable.add(request)
  throw new EngineError(
    'not_configured',
    `The stored ${missing.join(' and ')} of this request cannot be decrypted: they were encrypted with another key. Give all processes on the store the same secretKey (HARVESTMAN_SECRET_KEY), or start the request again.`,
  )
}

/** Returns the names of the options that are still encrypted. */
function sealedIn(value: object, name?: string): string[] {
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const own = Array.isArray(value) ? name : key
    if (isSealed(part)) return own === undefined ? [] : [own]
    return typeof part === 'object' && part !== null ? sealedIn(part, own) : []
  })
}
