import { setImmediate } from 'node:timers/promises'

import { storeClosed } from './errors.ts'
import { isLocked } from './sqlite-errors.ts'
import type { Row, Table } from './sqlite-file.ts'
import { makeTransactions, type Outcome, type SqliteOptions, type Work } from './transactions.ts'

/** A table whose writes are committed in groups. */
export interface GroupCommit {
  readonly now: () => number
  /** Returns the live rows of the keys, in order. */
  read(keys: readonly string[]): Promise<readonly (Row | undefined)[]>
  /** Runs a read-only operation. */
  look<T>(work: (table: Table) => T): Promise<T>
  /**
   * Runs an operation in a transaction, and resolves once that is committed. `bytes` is the approximate size of its writes. The
   * operation may run more than once.
   */
  write<T>(bytes: number, work: (table: Table) => T): Promise<T>
  close(): Promise<void>
}

interface Job {
  readonly bytes: number
  readonly work: Work
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

// A commit blocks the event loop, so its size is limited.
const maxJobs = 1000
const maxBytes = 8_000_000

/**
 * Creates a table in which all writes of one turn of the event loop share one transaction: a commit costs as much for a hundred
 * writes as for one. A write whose operation throws rejects alone. Reads and writes reject with `store_failed` if the file
 * cannot be used, and with `closed` after `close`.
 */
export function groupCommit(file: string, name: string, options: SqliteOptions): GroupCommit {
  const { now, read, look, commit, close } = makeTransactions(file, name, options)
  const pending: Job[] = []
  let flushing: Promise<void> | undefined
  let isOpen = true

  const carryOut = async (jobs: readonly Job[]): Promise<void> => {
    try {
      settle(jobs, await commit(jobs.map(({ work }) => work)))
    } catch (error) {
      // One operation can make the whole transaction fail, so each is tried again on its own.
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
      return read(keys)
    },
    async look(work) {
      if (!isOpen) throw storeClosed()
      return look(work)
    },
    write<T>(bytes: number, work: (table: Table) => T): Promise<T> {
      if (!isOpen) return Promise.reject(storeClosed())
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      pending.push({ bytes, work, resolve, reject })
      flushing ??= flush()
      return promise
    },
    async close() {
      isOpen = false
      await flushing
      close()
    },
  }
}

function settle(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of jobs.entries()) {
    const outcome = outcomes[index]
    // Cast: each result belongs to the promise of its own operation; the list contains operations of all types.
    if (outcome && 'value' in outcome) resolve(outcome.value as never)
    else reject(outcome?.error)
  }
}

function sizeOfGroup(pending: readonly Job[]): number {
  let bytes = 0
  let count = 0
  for (const job of pending) {
    bytes += job.bytes
    if (count > 0 && (bytes > maxBytes || count === maxJobs)) return count
    count += 1
  }
  return count
}

// If the file is locked, trying each operation on its own would only wait again.
function isStuck(error: unknown): boolean {
  return error instanceof Error && isLocked(error.cause)
}
