// Health check: whether the store can be written. Anyone may call it, so concurrent callers share one check.
import { EngineError } from '@harvestman/core'

import { jsonAnswer, type Answer } from '../answer/answer.ts'
import type { ApiEngine } from '../route/engine.ts'
import { withinResponsiveTime } from './responsive-time.ts'

export interface Health {
  readonly status: 'ok' | 'unavailable'
  /** `ok`, or the problem of the store. */
  readonly store: string
}

type Checkable = Pick<ApiEngine, 'checkStore'>

const checks = new WeakMap<Checkable, () => Promise<Health>>()

// Milliseconds that a result is cached. Probes call every few seconds; an attacker may call far more often.
const holds = 1_000
const timeout = 3_000

/**
 * Returns the health check of an engine, which all its callers share: calls within a second get the same result. It
 * never rejects: a store that fails, or is slow for three seconds, makes the health `unavailable`.
 */
export function makeHealth(engine: Checkable): () => Promise<Health> {
  const known = checks.get(engine)
  if (known) return known
  let last: Promise<Health> | undefined
  const ask = (): Promise<Health> => {
    last ??= look(engine).finally(() => setTimeout(() => (last = undefined), holds).unref())
    return last
  }
  checks.set(engine, ask)
  return ask
}

async function look(engine: Checkable): Promise<Health> {
  try {
    const isDone = await withinResponsiveTime(engine.checkStore(), timeout)
    return isDone ? { status: 'ok', store: 'ok' } : { status: 'unavailable', store: 'slow' }
  } catch (error) {
    return { status: 'unavailable', store: reasonOf(error) }
  }
}

/** Returns a few words only: the error message of a store may contain file and host names. */
function reasonOf(error: unknown): string {
  if (!EngineError.is(error)) return 'failed'
  if (error.code === 'closed') return 'closed'
  const { reason } = error.details
  return typeof reason === 'string' && /^[a-z -]{1,40}$/.test(reason) ? reason : 'failed'
}

/** Returns the response of a health check: 200 if the engine is healthy, otherwise 503 with a `retry-after` of 5 seconds. */
export function healthResponse(health: Health, headers: Answer['headers']): Answer {
  if (health.status === 'ok') return jsonAnswer(200, health, headers)
  return jsonAnswer(503, health, { ...headers, 'retry-after': '5' })
}
