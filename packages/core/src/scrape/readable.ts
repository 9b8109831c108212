import { EngineError } from '@harvestman/ports'
import { isSealed } from '@harvestman/toolbox/sealed'

// Requests never change, and the pages of a job share all parts of their request, so each part is checked once.
const readable = new WeakSet<object>()

/**
 * Throws `not_configured` if credentials of a stored request were encrypted with another key, because the request would load
 * another page without them.
 */
export function checkReadable(request: object): void {
  const missing = [...new Set(sealedIn(request))]
  if (missing.length === 0) return
  throw new EngineError(
    'not_configured',
    `The stored ${missing.join(' and ')} of this request cannot be decrypted: they were encrypted with another key. Give all processes on the store the same secretKey (HARVESTMAN_SECRET_KEY), or start the request again.`,
  )
}

/** Returns the names of the options that are still encrypted. */
function sealedIn(value: object, name?: string): readonly string[] {
  const found: string[] = []
  for (const [key, part] of Object.entries(value) as [string, unknown][]) {
    const own = Array.isArray(value) ? name : key
    if (isSealed(part)) found.push(...(own === undefined ? [] : [own]))
    else if (typeof part === 'object' && part !== null) found.push(...sealedInPart(part, own))
  }
  return found
}

function sealedInPart(part: object, name: string | undefined): readonly string[] {
  if (readable.has(part)) return []
  const found = sealedIn(part, name)
  if (found.length === 0) readable.add(part)
  return found
}
