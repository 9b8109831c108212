import { call } from './api.ts'

export interface Dataset {
  readonly name: string
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, readonly string[]>>
  readonly rows: number
  readonly updatedAt: string
}

export interface DatasetRow {
  readonly id: string
  readonly values: Readonly<Record<string, unknown>>
  readonly source: string | null
  readonly changed: number
  readonly history: readonly { readonly until: number; readonly values: Readonly<Record<string, unknown>> }[]
}

/** A table of values, as a query returns it. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly isCut: boolean
}

export const at = (name: string): string => `v2/datasets/${encodeURIComponent(name)}`

export async function listDatasets(signal: AbortSignal): Promise<readonly Dataset[]> {
  return (await call<{ data: readonly Dataset[] }>('v2/datasets', { signal })).data
}

/** Creates a dataset with these key columns. */
export async function createDataset(name: string, key: readonly string[]): Promise<void> {
  await call('v2/datasets', { method: 'POST', body: { name, key } })
}

export async function readDataset(name: string, signal: AbortSignal): Promise<Dataset> {
  return (await call<{ data: Dataset }>(at(name), { signal })).data
}

const perPage = 200

/** Returns a page of rows and the cursor of the next one. */
export function readDatasetRows(
  name: string,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly data: readonly DatasetRow[]; readonly next?: string }> {
  const query = new URLSearchParams({ limit: String(perPage), ...(after !== undefined && { after }) })
  return call(`${at(name)}/rows?${query.toString()}`, { signal })
}

/** Runs a SELECT over the rows. */
export async function queryDataset(name: string, sql: string): Promise<Table> {
  return (await call<{ data: Table }>(`${at(name)}/query`, { method: 'POST', body: { sql, limit: perPage } })).data
}
