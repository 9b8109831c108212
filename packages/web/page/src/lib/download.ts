// Downloads the documents of a job as a file. They are loaded in batches and collected in Blobs, which browsers can keep on
// disk.
import { HarvestmanError } from '@harvestman/client'

import type { Document } from './document.ts'
import { addressIn } from './address.ts'
import { csvLine } from './csv.ts'
import { jobOf } from './job.ts'
import { saveFile } from './save-file.ts'
import type { Row, Table } from './table.ts'
import { zip, type ZippedFile } from './zip.ts'

/** Download formats, by file extension. */
export type Ending = 'jsonl' | 'csv' | 'parquet' | 'zip'

type Make = (documents: AsyncIterable<readonly Document[]>) => Promise<Blob>

const makers: Readonly<Record<Ending, Make>> = {
  jsonl: linesOf,
  csv: csvOf,
  parquet: async (documents) => (await import('./parquet.ts')).parquetOf(await tableOf(documents)),
  zip: (documents) => zip(markdownOf(documents)),
}

const atOnce = 200

/** Downloads the documents of a job and reports how many were loaded. Rejects if they cannot be loaded. */
export async function download(
  ending: Ending,
  { kind, id }: { readonly kind: string; readonly id: string },
  tell: (count: number) => void,
): Promise<void> {
  saveFile(`${id}.${ending}`, await makers[ending](documentsOf(kind, id, tell)))
}

async function* documentsOf(
  kind: string,
  id: string,
  tell: (count: number) => void,
): AsyncGenerator<readonly Document[]> {
  let some: Document[] = []
  let count = 0
  try {
    for await (const document of jobOf(kind, id).documents()) {
      some.push(document)
      count += 1
      if (some.length < atOnce) continue
      tell(count)
      yield some
      some = []
    }
  } catch (error) {
    // The documents of a failed job come before its error.
    if (!(error instanceof HarvestmanError && error.code === 'JOB_FAILED')) throw error
  }
  if (some.length === 0) return
  tell(count)
  yield some
}

async function linesOf(documents: AsyncIterable<readonly Document[]>): Promise<Blob> {
  const parts: Blob[] = []
  for await (const some of documents) parts.push(new Blob(some.map((one) => `${JSON.stringify(one)}\n`)))
  return new Blob(parts, { type: 'application/jsonl' })
}

function rowOf({ metadata, markdown, json }: Document): Row {
  const { url, sourceURL, statusCode, title, description, language, creditsUsed } = metadata
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return {
    url: url ?? sourceURL,
    statusCode,
    title: text(title),
    description: text(description),
    language: text(language),
    creditsUsed,
    ...(typeof json === 'object' && json !== null && !Array.isArray(json) && cellsOf(json)),
    markdown,
  }
}

/** Returns the fields of a page's data, each as its own column. */
function cellsOf(data: object): Row {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      `json.${name}`,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  ) as Row
}

async function tableOf(documents: AsyncIterable<readonly Document[]>): Promise<Table> {
  // The columns are only known at the end; rows are small compared to their documents.
  const names = new Set<string>()
  const parts: (readonly Row[])[] = []
  for await (const some of documents) {
    const rows = some.map(rowOf)
    for (const row of rows) for (const [name, value] of Object.entries(row)) if (value !== undefined) names.add(name)
    parts.push(rows)
  }
  const columns = [...names].toSorted((one, other) => Number(one === 'markdown') - Number(other === 'markdown'))
  return { columns, parts }
}

async function csvOf(documents: AsyncIterable<readonly Document[]>): Promise<Blob> {
  const { columns, parts } = await tableOf(documents)
  const lines = parts.map((rows) => rows.map((row) => csvLine(columns.map((name) => row[name]))).join(''))
  return new Blob([csvLine(columns), ...lines], { type: 'text/csv' })
}

async function* markdownOf(documents: AsyncIterable<readonly Document[]>): AsyncGenerator<ZippedFile> {
  const taken = new Map<string, number>()
  for await (const some of documents) {
    for (const { markdown = '', metadata } of some) {
      const url = metadata.url ?? metadata.sourceURL ?? ''
      const name = fileNameOf(url)
      const count = (taken.get(name) ?? 0) + 1
      taken.set(name, count)
      yield {
        name: `${count === 1 ? name : `${name}-${count}`}.md`,
        text: `<!-- ${url.replaceAll('--', '%2D%2D')} -->\n\n${markdown}\n`,
      }
    }
  }
}

/** Returns a portable file name that contains only `a-z`, `0-9`, dots, hyphens and underscores. */
function fileNameOf(url: string): string {
  const address = addressIn(url)
  const given = address ? `${address.host}${address.pathname}`.replace(/\/$/, '') : url
  const name = given
    .toLowerCase()
    .replaceAll('/', '_')
    .replaceAll(/[^a-z\d._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, 100)
    .replaceAll(/^[.-]+|[.-]+$/g, '')
  return name === '' ? 'page' : name
}
