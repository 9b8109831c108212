import { EngineError } from '@harvestman/core'

import { isJobId } from './call.ts'

// The public API's name, and the name of the draft standard.
const names = ['x-idempotency-key', 'idempotency-key'] as const

export const idempotencyHeaders = {
  [names[0]]: 'A UUID. The same request with the same key starts no new job, and returns the existing one.',
}

/** Returns the idempotency key of a request in lower case; `undefined` without one. Throws `conflict` if it is not a UUID. */
export function idempotencyKey(headers: Headers): string | undefined {
  const key = headers.get(names[0]) ?? headers.get(names[1])
  if (key === null) return undefined
  if (isJobId(key)) return key.toLowerCase()
  throw new EngineError('conflict', 'The idempotency key is not a UUID. Create a new UUID for each job.')
}
