// Child process that runs one query. SQLite cannot be interrupted in the middle of a step, but a process can be killed.
import { DatabaseSync, type StatementSync } from 'node:sqlite'

import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Cell, FromQuery, ToQuery } from './messages.ts'

/** Maximum memory of SQLite in bytes, including the table. */
const heap = 1024 * 1024 * 1024
/** Maximum size of a result, in characters. */
const maxCharacters = 16 * 1024 * 1024

const types = { text: 'TEXT', number: 'REAL', integer: 'INTEGER', boolean: 'INTEGER', json: 'TEXT' } as const

const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
database.exec(`PRAGMA hard_heap_limit=${heap}`)
let insert: StatementSync | undefined

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const say = (message: FromQuery): void => void process.send?.(message)

function makeTable(columns: Extract<ToQuery, { kind: 'table' }>['columns']): void {
  const defined = columns.map(({ name, kind }) => `${quoted(name)} ${types[kind]}`)
  database.exec(`CREATE TABLE rows (${defined.join(', ')})`)
  database.exec('BEGIN')
  insert = database.prepare(`INSERT INTO rows VALUES (${columns.map(() => '?').join(', ')})`)
}

function addRows(rows: readonly (readonly Cell[])[]): void {
  for (const row of rows) insert?.run(...row)
}

function run({ sql, params, limit }: Extract<ToQuery, { kind: 'run' }>): FromQuery {
  database.exec('COMMIT')
  database.exec('PRAGMA query_only=ON')
  const statement = database.prepare(sql)
  const columns = statement.columns().map(({ name }) => name)
  if (columns.length === 0) return { kind: 'failed', message: 'The query returns no rows. Write a SELECT.' }
  statement.setReturnArrays(true)
  const rows: (readonly Cell[])[] = []
  let size = 0
  for (const row of statement.iterate(...params)) {
    if (rows.length === limit) return { kind: 'done', columns, rows, isCut: true }
    const cells = Object.values(row).map(cellOf)
    size += JSON.stringify(cells).length
    if (size > maxCharacters)
      return { kind: 'failed', message: `The result has more than ${maxCharacters} characters. Select less.` }
    rows.push(cells)
  }
  return { kind: 'done', columns, rows, isCut: false }
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  return typeof value === 'bigint' ? Number(value) : null
}

function answer(message: ToQuery): FromQuery {
  if (message.kind === 'run') return run(message)
  if (message.kind === 'table') makeTable(message.columns)
  else addRows(message.rows)
  return { kind: 'more' }
}

process.on('message', (message: ToQuery) => {
  try {
    say(answer(message))
  } catch (error) {
    say({ kind: 'failed', message: errorMessage(error) })
  }
})
process.on('disconnect', () => process.exit(0))
