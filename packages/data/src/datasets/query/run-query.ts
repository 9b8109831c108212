// Runs an SQL query over the rows of a dataset, in a child process that is killed on timeout.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { EngineError } from '@harvestman/ports'
import { unknownName } from '@harvestman/toolbox/choices'
import { threadFile } from '@harvestman/toolbox/thread-file'

import type { Columns, ValueKind } from '../columns.ts'
import { tableOf, type TableColumn } from '../export/table.ts'
import { bounds } from '../requests.ts'
import type { QueryAnswer } from '../results.ts'
import type { Row } from '../rows/row.ts'
import type { Cell, FromQuery, ToQuery } from './messages.ts'

/** A query and the table it runs on. */
export interface Query {
  readonly sql: string
  readonly params: readonly Cell[]
  readonly limit: number
  readonly columns: Columns
  readonly rows: AsyncIterable<readonly Row[]>
}

/**
 * Runs a `SELECT` in a process of its own and returns at most `limit` rows; `isCut` if there are more. Rejects with
 * `invalid_request` if the query is another statement, fails or takes too much memory, or if the rows have more than 512 Mi
 * characters. Aborting the signal kills the process.
 */
export async function runQuery(query: Query, signal: AbortSignal): Promise<QueryAnswer> {
  if (!/^\s*(select|with|values)\b/i.test(query.sql)) {
    throw new EngineError('invalid_request', 'sql must be one SELECT. It may begin with WITH.')
  }
  const child = fork(threadFile(import.meta.url), {
    // The query process gets no environment variables.
    env: {},
    stdio: 'ignore',
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512'],
    serialization: 'advanced',
  })
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  try {
    return await talk(child, query, signal)
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

async function talk(child: ChildProcess, { columns, rows, sql, params, limit }: Query, signal: AbortSignal) {
  const table = tableOf(columns)
  const named = sqlNames(table.map(({ name }) => name))
  const defined = table.map(({ kind }, index) => ({ name: named[index] ?? '', kind: kindInSql(kind) }))
  await ask(child, { kind: 'table', columns: defined }, signal)
  let size = 0
  for await (const some of rows) {
    const cells = some.map((row) => table.map((column) => cellOf(row, column)))
    size += cells.reduce((sum, row) => sum + sizeOf(row), 0)
    if (size > bounds.querySize) {
      throw new EngineError('invalid_request', 'The dataset is too large to be queried. Export it as Parquet instead.')
    }
    await ask(child, { kind: 'rows', rows: cells }, signal)
  }
  const done = await ask(child, { kind: 'run', sql, params, limit }, signal, named)
  if (done.kind !== 'done') throw new EngineError('internal', 'The query returned no result.')
  return { columns: done.columns, rows: done.rows, isCut: done.isCut }
}

/** Sends a message and waits for the reply. Throws if the query fails or the process exits. */
async function ask(
  child: ChildProcess,
  message: ToQuery,
  signal: AbortSignal,
  columns: readonly string[] = [],
): Promise<FromQuery> {
  signal.throwIfAborted()
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    const answer = Promise.race([
      once(child, 'message', { signal: until }).then(([said]) => said as FromQuery),
      once(child, 'exit', { signal: until }).then(
        () => ({ kind: 'failed', message: 'It took too much memory.' }) as const,
      ),
    ])
    child.send(message)
    const reply = await answer
    if (reply.kind === 'failed') throw new EngineError('invalid_request', explain(reply.message, columns))
    return reply
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    over.abort()
  }
}

/** Returns the message for an error of SQLite, with the names that the query can use. */
function explain(message: string, columns: readonly string[]): string {
  const [, what, name = ''] = /^no such (table|column): (.+)$/.exec(message) ?? []
  if (what === 'table') return `${unknownName('table', name, [])} The rows are in the table rows.`
  return what === 'column' ? unknownName('column', name, columns) : `The query failed: ${message}`
}

/** Returns unique column names for SQL, which ignores case: `Price` after `price` becomes `Price_2`. */
function sqlNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let next = 2; taken.has(free.toLowerCase()); next += 1) free = `${name}_${next}`
    taken.add(free.toLowerCase())
    return free
  })
}

const kindInSql = (kind: TableColumn['kind']): ValueKind => (kind === 'time' ? 'text' : kind)

function cellOf(row: Row, { read, kind }: TableColumn): Cell {
  const value = read(row)
  if (value === null || typeof value === 'string') return value
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString()
  if (typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}

function sizeOf(cells: readonly Cell[]): number {
  return cells.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
}
