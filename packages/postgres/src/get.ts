import { inBatches } from '@harvestman/toolbox/in-batches'

import type { Row, Statement } from './client.ts'
import { isRefused } from './errors.ts'
import type { statementsIn } from './statements.ts'

/** Reads the row of a key; `undefined` if there is none. */
export type Get = (name: Buffer) => Promise<Row | undefined>

export interface GetOptions {
  readonly statements: Pick<ReturnType<typeof statementsIn>, 'get' | 'getMany'>
  readonly ask: (statement: Statement, ...values: readonly unknown[]) => Promise<readonly Row[]>
  /** Reads a row with many bytes. */
  readonly copy: Get
}

interface RowRequest {
  readonly name: Buffer
  row: Row | undefined
}

const maxBatchSize = 32
const wait = 10

/**
 * Creates a function that reads rows; reads that arrive while others are pending share one statement. A row that does not
 * exist is `undefined`. The function rejects with `store_failed` if the statement fails.
 */
export function makeGet({ statements, ask, copy }: GetOptions): Get {
  const getAll = async (all: readonly RowRequest[]): Promise<void> => {
    const [first] = all
    if (first && all.length === 1) {
      first.row = (await ask(statements.get, first.name))[0]
      return
    }
    const names = all.map(({ name }) => name)
    const rows = new Map((await ask(statements.getMany, names)).map((row) => [textOf(row['key']), row]))
    const usedRows = new Set<Row>()
    for (const request of all) {
      const row = rows.get(textOf(request.name))
      if (!row) continue
      request.row = usedRows.has(row) ? withOwnBytes(row) : row
      usedRows.add(row)
    }
  }
  const together = inBatches(getAll, { most: maxBatchSize, wait, mayRepeat: isRefused })
  return async (name) => {
    const request: RowRequest = { name, row: undefined }
    await together(request)
    return request.row?.['long'] ? copy(name) : request.row
  }
}

/** Copies the bytes of a row, because two readers of one key must not share them. */
function withOwnBytes(row: Row): Row {
  const { bytes } = row
  return bytes instanceof Uint8Array ? { ...row, bytes: Buffer.from(bytes) } : row
}

/** Returns a key as a string, for comparison. */
export function textOf(key: unknown): string {
  return (key as Buffer).toString('latin1')
}
