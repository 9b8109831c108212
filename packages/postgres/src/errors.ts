import { errorMessage, errorCode } from '@harvestman/toolbox/error-message'
import { EngineError } from '@harvestman/ports'

/** Machine-readable reason why Postgres cannot be used, in `details.reason` of the error. */
export type PostgresReason =
  | 'away'
  | 'slow'
  | 'locked'
  | 'full'
  | 'busy'
  | 'read-only'
  | 'starting'
  | 'refused'
  | 'too large'
  | 'unknown'

interface Why {
  readonly is: RegExp
  readonly reason: PostgresReason
  readonly say: string
}

// By the code of Postgres or of the connection, otherwise by the message of the client.
const reasons: readonly Why[] = [
  { is: /^(53100|53200|53000) /, reason: 'full', say: 'Its disk or memory is full. Free some space.' },
  { is: /^53300 /, reason: 'busy', say: 'It has too many connections. Raise `max_connections`, or use fewer.' },
  { is: /^(55P03|40P01) /, reason: 'locked', say: 'Another client holds a lock for too long. Find it in pg_locks.' },
  {
    is: /^57014 |timeout exceeded|read timeout|connection timeout/,
    reason: 'slow',
    say: 'It did not respond in time. Check its load and the network.',
  },
  { is: /^25006 /, reason: 'read-only', say: 'It accepts no writes. Connect to the primary.' },
  { is: /^57P0[13] /, reason: 'starting', say: 'It is starting or shutting down.' },
  {
    is: /^(28|42501|3D000)/,
    reason: 'refused',
    say: 'It rejects this user or this command. Check its URL and permissions.',
  },
  { is: /^54000 |invalid memory alloc|out of range 0 - /, reason: 'too large', say: 'The value is too large.' },
  {
    is: /^(08|57P02 )|ECONN|ENOTFOUND|ENOENT|EPIPE|EAI_AGAIN|[Cc]onnection (terminated|ended)|not queryable/,
    reason: 'away',
    say: 'It cannot be reached. Check that it runs, and its URL.',
  },
]

/**
 * Returns the `store_failed` error for an error of Postgres or its client, with a reason if it is known. An
 * `EngineError` is returned unchanged.
 */
export function postgresFailed(cause: unknown): EngineError {
  if (EngineError.is(cause)) return cause
  const code = errorCode(cause)
  const message = (code === undefined ? '' : `${code} `) + errorMessage(cause)
  const why = reasons.find(({ is }) => is.test(message))
  const say = why?.say ?? 'It refused the command.'
  return new EngineError('store_failed', `Postgres failed. ${say} (${message.slice(0, 200)})`, {
    cause,
    details: { reason: why?.reason ?? 'unknown' },
  })
}

/** For these reasons it is unknown whether the statement had an effect. */
const unsure: ReadonlySet<unknown> = new Set(['away', 'slow', 'starting'])

/**
 * Returns whether a failed statement definitely had no effect. False if that is unknown, as after a lost connection, and for
 * errors that are not an `EngineError`.
 */
export function isRefused(error: unknown): boolean {
  return EngineError.is(error) && !unsure.has(error.details?.['reason'])
}

/** Returns the error for a pooler in transaction mode, with which nothing would work reliably. */
export const sharesSessions = (): EngineError =>
  new EngineError(
    'store_failed',
    'Postgres failed. It is behind a pooler that gives each transaction another session, such as PgBouncer in transaction mode. Use session mode, or the address of the server itself.',
    { details: { reason: 'refused' } },
  )

/** Returns the `store_failed` error for a server that did not respond within this many milliseconds. */
export function postgresSlow(ms: number): EngineError {
  const message = `Postgres did not respond within ${ms} ms. Check its load and the network.`
  return new EngineError('store_failed', message, { details: { reason: 'slow' } })
}

/** Returns the error for a call after `close`. `what` names the store or queue. */
export const postgresClosed = (what: string): EngineError => new EngineError('closed', `The ${what} was closed.`)
