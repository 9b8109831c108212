import { EngineError } from '@harvestman/ports'
import { isSealed } from '@harvestman/ports/adapters'
import type { ScrapeRequest } from '../schema/scrape.ts'

const parts = ['url', 'headers', 'actions'] as const

/** Refuses a stored request whose credentials were encrypted with another key: without them it would load another page. */
export function checkReadable(request: Pick<ScrapeRequest, (typeof parts)[number]>): void {
  const missing = parts.filter((part) => isSealed(request[part]))
  if (missing.length === 0) return
  throw new EngineError(
    'not_configured',
    `The stored ${missing.join(' and ')} of this request cannot be decrypted: they were encrypted with another key. Give all processes on the store the same secretKey (HARVESTMAN_SECRET_KEY), or start the request again.`,
  )
}
