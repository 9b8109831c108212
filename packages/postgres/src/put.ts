import { inBatches } from '@harvestman/ports/adapters'

import type { Row, Statement } from './client.ts'
import { isRefused } from './errors.ts'
import { textOf } from './get.ts'
import type { statementsIn } from './statements.ts'

/** What is kept of a value: its key, milliseconds it lives, JSON or bytes. */
export type PutRow = readonly [key: Buffer, life: number | null, json: string | null, bytes: Buffer | null]

// A statement is planned for a number of rows; a batch takes the next one, and leaves rows of it empty.
const sizes = [1, 4, 16]
const mostTogether = 16
/** A value that is longer has a statement to itself, so that short ones do not wait for it. */
const longestTogether = 65_536
const wait = 10
const columnsOfPut = 4

type Ask = (statement: Statement, ...values: readonly unknown[]) => Promise<readonly Row[]>

/** Keeps values; those that come while others are on their way, in one statement. */
export function makePut(
  { put }: Pick<ReturnType<typeof statementsIn>, 'put'>,
  ask: Ask,
): (row: PutRow) => Promise<unknown> {
  const putAll = inSizes(put, columnsOfPut, ask)
  const together = inBatches(putAll, { most: mostTogether, wait, mayRepeat: isRefused })
  return (row) => (isLong(row) ? putAll([row]) : together(row))
}

/** A value that replaces the one that was read. */
export type ReplaceRow = readonly [...PutRow, version: unknown]

/** Replaces values that are as they were read, in the same way; gives whether this one was. */
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
  const together = inBatches(work, { most: mostTogether, wait, mayRepeat: isRefused })
  return async (row) => {
    await (isLong(row) ? work([row]) : together(row))
    return written.has(row)
  }
}

/** Asks a statement that takes so many rows for as many as there are. */
function inSizes(
  statementFor: (size: number) => Statement,
  columns: number,
  ask: Ask,
): (rows: readonly (PutRow | ReplaceRow)[]) => Promise<readonly Row[]> {
  const statements = sizes.map((size) => ({ size, statement: statementFor(size) }))
  return (rows) => {
    const { size, statement } = statements.find((one) => one.size >= rows.length)!
    // Two statements that lock the same rows in another order would wait for each other.
    const given = rows.toSorted(([one], [other]) => one.compare(other)).flat()
    return ask(statement, ...given, ...Array<null>((size - rows.length) * columns).fill(null))
  }
}

function isLong([, , json, bytes]: PutRow | ReplaceRow): boolean {
  return (json?.length ?? bytes?.length ?? 0) > longestTogether
}
