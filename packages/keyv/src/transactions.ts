import { setTimeout } from 'node:timers/promises'

import { toStoreError, isFull, isLocked } from './sqlite-errors.ts'
import { openFile, openForReading, type FileOptions, type Row, type Table } from './sqlite-file.ts'

/** Options of `sqliteStore`. */
export interface SqliteOptions extends FileOptions {
  readonly clock?: { now(): number }
  /**
   * Maximum time in milliseconds to wait for a file that another process has locked, without blocking the event loop. Default:
   * 5,000.
   */
  readonly lockTimeout?: number
}

export type Work = (table: Table) => unknown
export type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** A table that is opened on demand. Calls are retried while another process has it locked. */
export interface Transactions {
  readonly now: () => number
  read(keys: readonly string[]): Promise<readonly (Row | undefined)[]>
  /** Runs a read-only operation. */
  look<T>(work: (table: Table) => T): Promise<T>
  /** Runs all operations in one exclusive transaction. Rejects if it could not be committed. */
  commit(works: readonly Work[]): Promise<readonly Outcome[]>
  close(): void
}

const sweepPause = 10_000
const maxPause = 50

/**
 * Returns access to the table `name` of a SQLite file, which is opened and created at first use. Calls wait for a lock of another
 * process without blocking the event loop. Reject with `store_failed` if the file cannot be used, or is still locked after
 * `lockTimeout` milliseconds.
 */
export function makeTransactions(file: string, name: string, options: SqliteOptions): Transactions {
  const { clock = { now: () => Date.now() }, lockTimeout = 5000 } = options
  const now = () => clock.now()
  let table: Table | undefined
  let nextSweep = -Infinity

  const opened = (): Table => (table ??= openFile(file, name, options))
  const readFrom = <T>(work: (table: Table) => T): T => readWhereFull(opened, work, () => openForReading(file, name))
  // Errors of the operations themselves are passed on unchanged.
  const ours = (error: unknown) => (isForeign(error) ? toStoreError(error, file) : error)
  const patiently = async <T>(work: () => T): Promise<T> => {
    const end = performance.now() + lockTimeout
    for (let pause = 1; ; pause = Math.min(pause * 2, maxPause)) {
      try {
        return work()
      } catch (error) {
        if (!isLocked(error) || performance.now() >= end) throw ours(error)
      }
      await setTimeout(pause)
    }
  }
  const outcomeOf = (work: Work, table: Table): Outcome => {
    try {
      return { value: work(table) }
    } catch (error) {
      // If the transaction continues, a failed operation has written nothing, because it writes last.
      if (!table.isInTransaction) throw error
      return { error: ours(error) }
    }
  }
  const commitOnce = (works: readonly Work[]): readonly Outcome[] => {
    const table = opened()
    table.begin()
    try {
      const outcomes = works.map((work) => outcomeOf(work, table))
      if (now() >= nextSweep) nextSweep = table.sweep(now()) ? -Infinity : now() + sweepPause
      table.commit()
      return outcomes
    } catch (error) {
      rollBack(table)
      throw error
    }
  }

  return {
    now,
    async read(keys) {
      const rows = await patiently(() => readFrom((table) => keys.map((key) => table.get(key))))
      return rows.map((row) => (row && now() < row.expires ? row : undefined))
    },
    look: (work) => patiently(() => readFrom(work)),
    commit: (works) => patiently(() => commitOnce(works)),
    close() {
      table?.close()
      table = undefined
    },
  }
}

/** On a full disk the file cannot be opened normally, but it can be read. */
function readWhereFull<T>(usual: () => Table, work: (table: Table) => T, open: () => Table | undefined): T {
  let table: Table
  try {
    table = usual()
  } catch (error) {
    const readable = isFull(error) ? open() : undefined
    if (!readable) throw error
    try {
      return work(readable)
    } finally {
      readable.close()
    }
  }
  return work(table)
}

/** An error of the rollback is ignored: the original one is reported. */
function rollBack(table: Table): void {
  try {
    if (table.isInTransaction) table.rollback()
  } catch {
    // SQLite has already rolled back by itself.
  }
}

function isForeign(error: unknown): boolean {
  return error instanceof Error && ('errcode' in error || 'syscall' in error)
}
