// Datasets on the server: rows with a key and a history.
import type { Ask, Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** The kinds of values that a column has had. */
export type ValueKind = 'text' | 'number' | 'integer' | 'boolean' | 'json'

/** Values by column. */
export type DatasetValues = Readonly<Record<string, unknown>>

/** A dataset. */
export interface Dataset {
  readonly name: string
  /** The columns that identify a row. */
  readonly key: readonly string[]
  readonly schema: Readonly<Record<string, unknown>> | null
  readonly columns: Readonly<Record<string, readonly ValueKind[]>>
  readonly rows: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A row of a dataset. Times are milliseconds since 1970. */
export interface DatasetRow {
  readonly id: string
  readonly values: DatasetValues
  readonly source: string | null
  /** Where the values stand, by column. */
  readonly evidence: DatasetValues
  readonly firstSeen: number
  readonly changed: number
  readonly lastSeen: number
  /** The values before each change, the newest first. */
  readonly history: readonly {
    readonly until: number
    readonly source: string | null
    readonly values: DatasetValues
  }[]
}

/** A row to add. */
export interface NewDatasetRow {
  readonly values: DatasetValues
  readonly source?: string
  readonly evidence?: DatasetValues
}

/** What became of the rows that were added. */
export interface PutResult {
  readonly added: number
  readonly changed: number
  readonly same: number
}

/** A SELECT of SQLite over the table `rows`. */
export interface DatasetQuery {
  readonly sql: string
  /** The values of the `?` in it. */
  readonly params?: readonly (string | number | null)[]
  readonly limit?: number
  /** Milliseconds. */
  readonly timeout?: number
}

/** The answer to a query. */
export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  /** Whether there are more rows than the limit. */
  readonly isCut: boolean
}

/** The datasets of your team. */
export interface Datasets {
  create(
    dataset: { readonly name: string; readonly key?: readonly string[]; readonly schema?: object },
    options?: WaitOptions,
  ): Promise<Dataset>
  list(options?: WaitOptions): Promise<readonly Dataset[]>
  get(name: string, options?: WaitOptions): Promise<Dataset>
  delete(name: string, options?: WaitOptions): Promise<void>
  /** Adds rows, and updates those with the same key. */
  put(name: string, rows: readonly NewDatasetRow[], options?: WaitOptions): Promise<PutResult>
  /** Adds the rows in the documents of a job that has ended. */
  collect(
    name: string,
    from: { readonly job: string; readonly from: string; readonly path?: string },
    options?: WaitOptions,
  ): Promise<PutResult>
  /** Yields all rows. */
  rows(name: string, options?: WaitOptions): AsyncGenerator<DatasetRow, void, void>
  row(name: string, id: string, options?: WaitOptions): Promise<DatasetRow>
  deleteRow(name: string, id: string, options?: WaitOptions): Promise<void>
  query(name: string, query: DatasetQuery, options?: WaitOptions): Promise<QueryAnswer>
  /** The dataset as a file: its body is sent as it is read. */
  export(name: string, format: 'jsonl' | 'csv' | 'parquet', options?: WaitOptions): Promise<Response>
}

const atOnce = 1_000
const anHour = 3_600_000

/** Makes the methods about datasets. */
export function makeDatasets(http: Http): Datasets {
  const askOf = (method: Ask['method'], path: string, { signal }: WaitOptions = {}): Ask => ({
    ...{ method, path: `/v2/datasets${path}`, signal },
    // Rows have a key: adding them twice does no more than adding them once.
    isRepeatable: method !== 'DELETE' && path !== '',
  })
  const whole = <Answer>(method: Ask['method'], path: string, options?: WaitOptions, body?: object) =>
    http.ask<Answer>({ ...askOf(method, path, options), body })
  const ask = async <Data>(...asked: Parameters<typeof whole>): Promise<Data> =>
    (await whole<{ readonly data: Data }>(...asked)).data
  async function* rows(name: string, options?: WaitOptions): AsyncGenerator<DatasetRow, void, void> {
    for (let after: string | undefined = '', behind = ''; after !== undefined; behind = `&after=${after}`) {
      const path = `${at(name)}/rows?limit=${atOnce}${behind}`
      const page = await whole<{ readonly data: readonly DatasetRow[]; readonly next?: string }>('GET', path, options)
      yield* page.data
      after = page.next
    }
  }
  return {
    rows,
    create: (dataset, options) => ask('POST', '', options, dataset),
    list: (options) => ask('GET', '', options),
    get: (name, options) => ask('GET', at(name), options),
    delete: async (name, options) => void (await whole('DELETE', at(name), options)),
    put: async (name, rows, options) => {
      const sum = { added: 0, changed: 0, same: 0 }
      for (const some of portionsOf(rows)) {
        const done = await ask<PutResult>('POST', `${at(name)}/rows`, options, { rows: some })
        for (const outcome of ['added', 'changed', 'same'] as const) sum[outcome] += done[outcome]
      }
      return sum
    },
    collect: (name, from, options) => ask('POST', `${at(name)}/collect`, options, from),
    row: (name, id, options) => ask('GET', rowAt(name, id), options),
    deleteRow: async (name, id, options) => void (await whole('DELETE', rowAt(name, id), options)),
    query: (name, query, options) => ask('POST', `${at(name)}/query`, options, query),
    export: (name, format, options) =>
      http.open({ ...askOf('GET', `${at(name)}/export?format=${format}`, options), timeout: anHour }),
  }
}

/** Rows that go together: a server takes 10,000 names of properties in one request. */
function* portionsOf(rows: readonly NewDatasetRow[]): Generator<readonly NewDatasetRow[]> {
  let some: NewDatasetRow[] = []
  let names = 0
  for (const row of rows) {
    const more = JSON.stringify(row).split('":').length
    if (names + more > mostNames && some.length > 0) {
      yield some
      some = []
      names = 0
    }
    some.push(row)
    names += more
  }
  // None at all is for the server to refuse.
  if (some.length > 0 || rows.length === 0) yield some
}

const mostNames = 9_000
const at = (name: string): string => `/${encodeURIComponent(name)}`
const rowAt = (name: string, id: string): string => `${at(name)}/rows/${encodeURIComponent(id)}`
