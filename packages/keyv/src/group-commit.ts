import { setImmediate, setTimeout } from 'node:timers/promises'

import { storeClosed } from './errors.ts'
import { explain, isLocked } from './sqlite-errors.ts'
import { openFile, type FileOptions, type Row, type Table } from './sqlite-file.ts'

export interface SqliteOptions extends FileOptions {
  readonly clock?: { now(): number }
  /** How long a call waits for a file that another process has locked, in milliseconds. The event loop goes on. */
  readonly lockTimeout?: number
}

/** A table whose writes are committed together. */
export interface GroupCommit {
  readonly now: () => number
  /** What is live now, in the order of the keys. */
  read(keys: readonly string[]): Promise<readonly (Row | undefined)[]>
  /** Does the work in a transaction, alone among all processes, and resolves once that is committed. May run it again. */
  write<T>(bytes: number, work: (table: Table) => T): Promise<T>
  close(): Promise<void>
}

interface Job {
  readonly bytes: number
  readonly work: (table: Table) => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

// A commit is one stretch of work that nothing interrupts, so it is bounded.
const mostJobs = 1000
const mostBytes = 8_000_000
const sweepPause = 10_000
const longestPause = 50

/**
 * Opens lazily. All writes that are asked for in one turn of the event loop share one transaction: a commit costs as
 * much for a hundred as for one.
 */
export function groupCommit(file: string, name: string, options: SqliteOptions): GroupCommit {
  const { clock = { now: () => Date.now() }, lockTimeout = 5000 } = options
  const now = () => clock.now()
  const pending: Job[] = []
  let table: Table | undefined
  let flushing: Promise<void> | undefined
  let nextSweep = -Infinity
  let isOpen = true

  const opened = (): Table => (table ??= openFile(file, name, options))
  const patiently = async <T>(work: () => T): Promise<T> => {
    const end = performance.now() + lockTimeout
    for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        return work()
      } catch (error) {
        if (!isLocked(error) || performance.now() >= end) throw ours(error)
      }
      await setTimeout(pause)
    }
  }
  const ours = (error: unknown) => (isForeign(error) ? explain(error, file) : error)

  const commit = (jobs: readonly Job[]): readonly Outcome[] => {
    const table = opened()
    table.begin()
    try {
      const outcomes = jobs.map((job) => outcomeOf(job, table))
      if (now() >= nextSweep) nextSweep = table.sweep(now()) ? -Infinity : now() + sweepPause
      table.commit()
      return outcomes
    } catch (error) {
      if (table.isInTransaction) table.rollback()
      throw error
    }
  }
  const settle = (jobs: readonly Job[], outcomes: readonly Outcome[]) => {
    for (const [index, { resolve, reject }] of jobs.entries()) {
      const outcome = outcomes[index]!
      if ('error' in outcome) reject(ours(outcome.error))
      else resolve(outcome.value as never)
    }
  }
  const carryOut = async (jobs: readonly Job[]): Promise<void> => {
    try {
      settle(jobs, await patiently(() => commit(jobs)))
    } catch (error) {
      // One job can bring down the transaction of all: each gets another try of its own.
      if (jobs.length > 1 && !isStuck(error)) for (const job of jobs) await carryOut([job])
      else for (const { reject } of jobs) reject(error)
    }
  }
  const flush = async () => {
    await setImmediate()
    while (pending.length > 0) {
      await carryOut(pending.splice(0, sizeOfGroup(pending)))
      if (pending.length > 0) await setImmediate()
    }
    flushing = undefined
  }

  return {
    now,
    async read(keys) {
      if (!isOpen) throw storeClosed()
      const rows = await patiently(() => keys.map((key) => opened().get(key)))
      return rows.map((row) => (row && now() < row.expires ? row : undefined))
    },
    write<T>(bytes: number, work: (table: Table) => T): Promise<T> {
      if (!isOpen) return Promise.reject(storeClosed())
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      pending.push({ bytes, work, resolve: resolve as Job['resolve'], reject })
      flushing ??= flush()
      return promise
    },
    async close() {
      isOpen = false
      await flushing
      table?.close()
      table = undefined
    },
  }
}

// A job that fails within a transaction that goes on has written nothing: writing is the last thing it does.
function outcomeOf({ work }: Job, table: Table): Outcome {
  try {
    return { value: work(table) }
  } catch (error) {
    if (!table.isInTransaction) throw error
    return { error }
  }
}

function sizeOfGroup(pending: readonly Job[]): number {
  let bytes = 0
  let count = 0
  for (const job of pending) {
    bytes += job.bytes
    if (count > 0 && (bytes > mostBytes || count === mostJobs)) return count
    count += 1
  }
  return count
}

// Then another try of each job alone would only wait again.
function isStuck(error: unknown): boolean {
  return error instanceof Error && isLocked(error.cause)
}

// What the work itself threw belongs to the caller and passes as it is.
function isForeign(error: unknown): boolean {
  return error instanceof Error && ('errcode' in error || 'syscall' in error)
}
