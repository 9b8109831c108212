// Distributes tasks among engines that share a store. A lock ensures that one engine runs each task; failed tasks are retried
// after a pause.
import { backoffAfter, elapsed, faultText } from '@harvestman/ports/adapters'

import type { MonitorKit } from '../kit.ts'

/** A task: its lock key, and its title for log messages. */
export interface Piece {
  readonly lock: string
  readonly title: string
}

/** The tasks of one kind that this engine runs. */
export interface OpenWork {
  /**
   * Starts a task, unless it is running, paused, or `atOnce` others are running. `work` receives the number of consecutive
   * failures on this engine.
   */
  offer(piece: Piece, work: (failures: number) => Promise<void>): void
  /** Returns the milliseconds until the next pause ends; `Infinity` if nothing is paused. */
  pause(): number
  /** Resolves when no task is running. */
  idle(): Promise<void>
}

export interface OpenWorkOptions {
  readonly atOnce: number
  /** Polling interval in milliseconds. Determines how long a task that another engine has locked is paused. */
  readonly lookEvery: number
  /** Whether an error means that another engine runs the task. */
  readonly isTaken?: (error: unknown) => boolean
  /** Called when a task has succeeded and its slot is free. */
  readonly freed?: () => void
}

const firstPause = 5_000
const longestPause = 300_000

interface Pause {
  readonly until: number
  readonly failures: number
}

export function makeOpenWork(
  { clock, lock, signal, warn }: Pick<MonitorKit, 'clock' | 'lock' | 'signal' | 'warn'>,
  { atOnce, lookEvery, isTaken = () => false, freed }: OpenWorkOptions,
): OpenWork {
  const running = new Map<string, Promise<void>>()
  const paused = new Map<string, Pause>()
  const pauseFor = (key: string, ms: number, failures: number): void => {
    const now = elapsed(clock)
    // Forgets old pauses, because tasks that other engines finished are never offered again.
    for (const [old, { until }] of paused) if (until + lookEvery + longestPause < now) paused.delete(old)
    paused.set(key, { until: now + ms, failures })
  }

  const carryOut = async ({ lock: key, title }: Piece, work: (failures: number) => Promise<void>): Promise<void> => {
    const unlock = await lock(key)
    if (!unlock) return pauseFor(key, lookEvery / 2, 0)
    const { failures = 0 } = paused.get(key) ?? {}
    try {
      await work(failures)
      paused.delete(key)
      running.delete(key)
      freed?.()
    } catch (error) {
      if (signal.aborted || isTaken(error)) return
      pauseFor(key, backoffAfter(failures + 1, { first: firstPause, longest: longestPause }), failures + 1)
      warn(`${title} continues later: ${faultText(error)}`)
    } finally {
      await unlock().catch(() => undefined)
    }
  }

  return {
    offer: (piece, work) => {
      const key = piece.lock
      if (running.has(key) || running.size >= atOnce || signal.aborted) return
      if ((paused.get(key)?.until ?? 0) > elapsed(clock)) return
      const mine = carryOut(piece, work)
        .catch((error: unknown) => warn(`${piece.title} could not be started: ${faultText(error)}`))
        .finally(() => running.delete(key))
      running.set(key, mine)
    },
    pause: () => {
      const now = elapsed(clock)
      const left = [...paused.values()].map(({ until }) => until - now).filter((ms) => ms > 0)
      return Math.min(...left, Infinity)
    },
    idle: async () => {
      await Promise.all(running.values())
    },
  }
}
