import { EngineError } from '@harvestman/ports'
import { makeSemaphore, type Semaphore } from '@harvestman/toolbox/semaphore'
import { unshared, type Permits, type PermitUser } from './permits.ts'

/** The permission to run a request. */
export interface Permit {
  /** Milliseconds until the caller got it. */
  readonly waited: number
  release(): void
}

/** Limits the concurrent requests of each team; further requests wait in a queue. */
export interface RequestPermits {
  /** Rejects with `rate_limited` if too many requests are waiting, and with the signal's reason if it is aborted. */
  acquire(team: string, limits: RequestLimits, signal: AbortSignal): Promise<Permit>
  /** Throws the error of `acquire` if it is already known that too many requests are waiting. */
  check(team: string, limits: RequestLimits): void
}

export interface RequestLimits {
  readonly concurrency?: number | undefined
  readonly queue?: number | undefined
}

/** Running and waiting requests of a team. */
interface Line extends Semaphore {
  /** Concurrency limit, as of the last request. */
  limit: number
  /** Returns whether one more request may start now. */
  readonly may: () => boolean
}

const defaultQueueLength = 10_000

/**
 * Creates permits for work that ends with a request: waiting requests are served round-robin by team. Rejects a request with
 * `rate_limited` if the team's queue is full (default: 10,000), and if the store of shared permits fails.
 */
export function makeRequestPermits(permits: Permits = unshared, now = () => performance.now()): RequestPermits {
  const lines = new Map<string, Line>()
  const usage = (pool: string) => {
    const { held, waiting } = lines.get(teamIn(pool)) ?? { held: 0, waiting: 0 }
    return { running: held, wants: held + waiting }
  }
  const user: PermitUser = { isWatched: true, usage, wake: (pool) => serve(teamIn(pool)) }
  const lineOf = (team: string, limit: number): Line => {
    const may = (): boolean => line.held < line.limit && permits.mayBegin(poolOf(team), line.limit, line.held, user)
    const line = lines.get(team) ?? Object.assign(makeSemaphore({ limit: Infinity, may }), { limit, may })
    line.limit = limit
    lines.set(team, line)
    return line
  }
  const serve = (team: string): void => {
    const line = lines.get(team)
    line?.serve()
    if (line && line.waiting > 0) permits.ask(poolOf(team), line.limit, user)
    if (line && line.held + line.waiting === 0) lines.delete(team)
  }
  const check: RequestPermits['check'] = (team, { concurrency = Infinity, queue = defaultQueueLength }) => {
    const { held, waiting } = lines.get(team) ?? { held: 0, waiting: 0 }
    if (waiting >= queue && (waiting > 0 || held >= concurrency)) throw queueFull(queue)
  }
  const acquire = async (team: string, limit: number, queue: number, signal: AbortSignal): Promise<() => void> => {
    let turn: Promise<() => void> | undefined
    const onQueued = (): void => {
      turn = lineOf(team, limit).acquire(team, signal)
      serve(team)
    }
    const line = lineOf(team, limit)
    if (line.waiting === 0 && line.may()) onQueued()
    else await permits.mayWait(poolOf(team), { limit, queue, signal, onQueued }, user)
    if (!turn) throw queueFull(queue)
    return turn
  }
  return {
    check,
    acquire: async (team, limits, signal) => {
      signal.throwIfAborted()
      check(team, limits)
      const { concurrency = Infinity, queue = defaultQueueLength } = limits
      const since = now()
      try {
        const release = await acquire(team, concurrency, queue, signal)
        return {
          waited: now() - since,
          release: () => {
            release()
            serve(team)
            permits.ended(poolOf(team), lines.get(team)?.held ?? 0)
          },
        }
      } catch (error) {
        serve(team)
        throw error
      }
    },
  }
}

function poolOf(team: string): string {
  return `requests ${team}`
}

function teamIn(pool: string): string {
  return pool.slice(pool.indexOf(' ') + 1)
}

/**
 * Waits for a permit, at most `timeout` milliseconds. Without a concurrency limit it resolves at once. Rejects with `timeout` if
 * none was free in time, `aborted` if the caller cancelled, and `rate_limited` if the team's queue is full.
 */
export async function waitForPermit(
  permits: RequestPermits,
  team: string,
  limits: RequestLimits,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Permit> {
  if (limits.concurrency === undefined) return { waited: 0, release: () => undefined }
  const late = AbortSignal.timeout(timeout)
  try {
    return await permits.acquire(team, limits, signal ? AbortSignal.any([signal, late]) : late)
  } catch (error) {
    if (EngineError.is(error)) throw error
    if (!late.aborted) throw new EngineError('aborted', 'The caller cancelled the request.', { cause: error })
    const message = `The request waited ${timeout} ms for the other pages of its team. Raise timeout, or ask for fewer at once.`
    throw new EngineError('timeout', message, { cause: error })
  }
}

function queueFull(queue: number): EngineError {
  return new EngineError(
    'rate_limited',
    `${queue} requests of this team are already waiting. Try again when some have ended.`,
    {
      details: { retryAfter: 5 },
    },
  )
}
