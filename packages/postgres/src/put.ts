import { inBatches } from '@harvestman/toolbox/in-batches'

import type { Row, Statement } from './client.ts'
import { isRefused } from './errors.ts'
import { textOf } from './get.ts'
import type { statementsIn } from './statements.ts'

/** A value to store: its key, its ttl in milliseconds, and JSON or bytes. */
export type PutRow = readonly [key: Buffer, life: number | null, json: string | null, bytes: Buffer | null]

// Numbers of rows for which a statement is prepared; a batch uses the next larger one and leaves rows empty.
const sizes = [1, 4, 16]
const maxBatchSize = 16
/** A longer value is sent on its own, so that short ones do not wait for it. */
const maxBatchedBytes = 65_536
const wait = 10
const columnsOfPut = 4

type Ask = (statement: Statement, ...values: readonly unknown[]) => Promise<readonly Row[]>

/**
 * Creates a function that stores values. Values that arrive while others are pending share one statement. If the
 * statement was refused without any effect, each value is tried alone; otherwise all of its callers are rejected.
 */
export function makePut(
  { put }: Pick<ReturnType<typeof statementsIn>, 'put'>,
  ask: Ask,
): (row: PutRow) => Promise<unknown> {
  const putAll = inSizes(put, columnsOfPut, ask)
  const together = inBatches(putAll, { most: maxBatchSize, wait, mayRepeat: isRefused })
  return (row) => (isLong(row) ? putAll([row]) : together(row))
}

/** A new value for a row, with the version that was read. */
export type ReplaceRow = readonly [...PutRow, version: unknown]

/**
 * Creates a function that replaces values that are unchanged since they were read, and returns whether this one was. Values that
 * arrive while a call is pending share the next call. Rejects if its call fails.
 */
export function makeReplace(
  { replace }: Pick<ReturnType<typeof statementsIn>, 'replace'>,
  ask: Ask,
): (row: ReplaceRow) => Promise<boolean> {
  const replaceAll = inSizes(replace, columnsOfPut + 1, ask)
  const written = new WeakSet<ReplaceRow>()
  const work = async (rows: readonly ReplaceRow[]): Promise<void> => {
    const keys = new Set((await replaceAll(rows)).map(({ key }) => textOf(key)))
    for (const row of rows) if (keys.has(textOf(row[0]))) written.add(row)
  }
  const together = inBatches(work, { most: maxBatchSize, wait, mayRepeat: isRefused })
  return async (row) => {
    await (isLong(row) ? work([row]) : together(row))
    return written.has(row)
  }
}

/** Runs the smallest prepared statement that has enough rows. */
function inSizes(
  statementFor: (size: number) => Statement,
  columns: number,
  ask: Ask,
): (rows: readonly (PutRow | ReplaceRow)[]) => Promise<readonly Row[]> {
  const statements = sizes.map((size) => ({ size, statement: statementFor(size) }))
  return (rows) => {
    const { size, statement } = statements.find((one) => one.size >= rows.length)!
    // Sorted, because two statements that lock the same rows in different orders would deadlock.
    const parameters = rows.toSorted(([one], [other]) => one.compare(other)).flat()
    return ask(statement, ...parameters, ...Array<null>((size - rows.length) * columns).fill(null))
  }
}

function isLong([, , json, bytes]: PutRow | ReplaceRow): boolean {
  return (json?.length ?? bytes?.length ?? 0) > maxBatchedBytes
}
