import { EngineError } from '@harvestman/ports'
import { inBatches } from '@harvestman/ports/adapters'

import type { Row, Statement } from './client.ts'
import type { statementsIn } from './statements.ts'

/** What is kept of a value: its key, milliseconds it lives, JSON or bytes. */
export type PutRow = readonly [key: Buffer, life: number | null, json: string | null, bytes: Buffer | null]

// A statement is planned for a number of rows; a batch takes the next one, and leaves rows of it empty.
const sizes = [1, 4, 16]
const mostTogether = 16
/** A value that is longer has a statement to itself, so that short ones do not wait for it. */
const longestTogether = 65_536
const patience = 10
const columnsOfRow = 4
/** Of these it is not known whether anything was written. */
const unsure: ReadonlySet<unknown> = new Set(['away', 'slow', 'starting'])

/** Keeps values; those that come while others are on their way, in one statement. */
export function makePut(
  { put }: Pick<ReturnType<typeof statementsIn>, 'put'>,
  ask: (statement: Statement, ...values: readonly unknown[]) => Promise<readonly Row[]>,
): (row: PutRow) => Promise<unknown> {
  const statements = sizes.map((size) => ({ size, statement: put(size) }))
  const putAll = (rows: readonly PutRow[]): Promise<unknown> => {
    const { size, statement } = statements.find((one) => one.size >= rows.length)!
    // Two statements that lock the same rows in another order would wait for each other.
    const given = rows.toSorted(([one], [other]) => one.compare(other)).flat()
    return ask(statement, ...given, ...Array<null>((size - rows.length) * columnsOfRow).fill(null))
  }
  const together = inBatches(putAll, { most: mostTogether, patience, mayRepeat: isRefused })
  return (row) => (lengthOf(row) > longestTogether ? putAll([row]) : together(row))
}

function isRefused(error: unknown): boolean {
  return EngineError.is(error) && !unsure.has(error.details?.['reason'])
}

function lengthOf([, , json, bytes]: PutRow): number {
  return json?.length ?? bytes?.length ?? 0
}
