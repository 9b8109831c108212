import { errorCode, errorMessage } from '@harvestman/toolbox/error-message'
import { EngineError } from '@harvestman/ports'

/** Machine-readable reason why Redis cannot be used, in `details.reason` of the error. */
export type RedisReason =
  | 'away'
  | 'slow'
  | 'full'
  | 'read-only'
  | 'starting'
  | 'locked'
  | 'refused'
  | 'too large'
  | 'unknown'

interface Why {
  readonly begins: RegExp
  readonly reason: RedisReason
  readonly say: string
}

// By the beginnings of error replies, and by connection errors.
const reasons: readonly Why[] = [
  { begins: /^OOM /, reason: 'full', say: 'Its memory is full. Raise `maxmemory`, or let jobs expire sooner.' },
  {
    begins: /^MISCONF /,
    reason: 'read-only',
    say: 'It cannot write its snapshot, so it accepts no writes. Free space on its disk.',
  },
  { begins: /^(READONLY|NOREPLICAS) /, reason: 'read-only', say: 'It accepts no writes. Connect to the primary.' },
  { begins: /^(LOADING|MASTERDOWN|CLUSTERDOWN) /, reason: 'starting', say: 'It is not ready yet.' },
  {
    begins: /^BUSY /,
    reason: 'locked',
    say: 'A script of another client blocks it. `SCRIPT KILL` ends the script.',
  },
  {
    begins: /NOAUTH|WRONGPASS|NOPERM|ERR AUTH/,
    reason: 'refused',
    say: 'It rejects this user. Check its URL.',
  },
  { begins: /exceeds maximum allowed size|invalid bulk length/, reason: 'too large', say: 'The value is too large.' },
  {
    begins: /max retries per request|ECONN|ENOTFOUND|ENOENT|EPIPE|EAI_AGAIN|closed|writeable/,
    reason: 'away',
    say: 'It cannot be reached. Check that it runs, and its URL.',
  },
]

/**
 * Returns the `store_failed` error for an error of Redis or its client, with the given reason, or else one that is found in its
 * message. An `EngineError` is returned unchanged.
 */
export function redisFailed(cause: unknown, reason?: RedisReason): EngineError {
  if (EngineError.is(cause)) return cause
  const code = errorCode(cause)
  const message = (code === undefined ? '' : `${code} `) + errorMessage(cause)
  const why = reasons.find((one) => one.begins.test(message))
  const say = why?.say ?? 'It refused the command.'
  return new EngineError('store_failed', `Redis failed. ${say} (${message.slice(0, 200)})`, {
    cause,
    details: { reason: reason ?? why?.reason ?? 'unknown' },
  })
}

/** Returns the `store_failed` error for a server that did not respond within this many milliseconds. */
export function redisSlow(ms: number): EngineError {
  const message = `Redis did not respond within ${ms} ms. Check its load and the network.`
  return new EngineError('store_failed', message, { details: { reason: 'slow' } })
}

/** Returns the error for a call after `close`. `what` names the store or queue. */
export const redisClosed = (what: string): EngineError => new EngineError('closed', `The ${what} was closed.`)
