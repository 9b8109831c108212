import { EngineError } from '@harvestman/ports'
import { nearestOf } from '@harvestman/toolbox/choices'

import { formatValue } from '../lib/format-value.ts'

const known: ReadonlySet<string> = new Set([
  'team',
  'key',
  'scopes',
  'limits',
  'ownLimits',
  'admitted',
  'signal',
  'keep',
  'filesAt',
  'explain',
  'encoded',
  'apiVersion',
  'idempotencyKey',
  'label',
])

/**
 * Throws `invalid_request` for a call without a team, with a wrong signal or idempotency key, or with a misspelled key, which
 * would run the request for another team. Keys of other entry points and other unknown keys are accepted.
 */
export function checkCall(call: object): void {
  const { team, signal, idempotencyKey } = call as Readonly<Record<string, unknown>>
  if (typeof team !== 'string' || team === '')
    throw invalid(`team must be the id of a team, but is ${formatValue(team)}.`)
  if (signal !== undefined && !isSignal(signal))
    throw invalid(`signal must be an AbortSignal, but is ${formatValue(signal)}.`)
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    throw invalid(`idempotencyKey must be a string, but is ${formatValue(idempotencyKey)}.`)
  for (const key of Object.keys(call)) {
    if (known.has(key)) continue
    const near = nearestOf(key, known)
    if (near !== undefined) throw invalid(`${key} is not a known key of a call; did you mean ${near}?`)
  }
}

/** Accepts signals of other libraries too. */
function isSignal(signal: unknown): boolean {
  return typeof signal === 'object' && signal !== null && 'aborted' in signal && 'addEventListener' in signal
}

const invalid = (message: string): EngineError => new EngineError('invalid_request', message)
