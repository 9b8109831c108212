// Datasets of this machine, or of a server.
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { AnyDocument } from '@harvestman/core'
import { exportFormats, type DatasetRow, type ExportFormatName, type NewRow, type PutResult } from '@harvestman/data'
import { EngineError } from '@harvestman/ports'

import type { CommandEngine, CommandJob } from './command-engine.ts'
import { withEngine, type EngineFlags } from './follow.ts'
import { printable } from './printable.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface DatasetFlags extends EngineFlags {
  readonly json?: boolean
  readonly by?: string
  readonly schema?: string
  readonly job?: string
  readonly from?: string
  readonly limit?: string
  readonly format?: string
  readonly output?: string
}

const atOnce = 1_000

export async function createDataset(name: string, flags: DatasetFlags, shell: Shell): Promise<number> {
  const { by, schema: file } = flags
  const schema: unknown = file === undefined ? undefined : jsonIn(file, readFileSync(file, 'utf8'))
  const keys = by === undefined ? {} : { key: by.split(',').map((column) => column.trim()) }
  return withEngine(flags, shell, async ({ datasets }) => {
    await datasets.create({ name, ...keys, ...(schema !== undefined && { schema }) })
    shell.err(`The dataset ${name} is created. Add rows: harvestman datasets add ${name} rows.jsonl\n`)
    return exitCodes.done
  })
}

export async function listDatasets(flags: DatasetFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ datasets }, store) => {
    const found = await datasets.list()
    for (const dataset of found) {
      const columns = printable(Object.keys(dataset.columns).join(', ')).slice(0, 200)
      shell.out(flags.json ? `${JSON.stringify(dataset)}\n` : `${dataset.name}  ${dataset.rows} rows  ${columns}\n`)
    }
    if (found.length === 0 && !flags.json) shell.err(`There is no dataset in ${store}.\n`)
    return exitCodes.done
  })
}

/** Adds the rows of a file, of standard input, or of a job. */
export async function addRows(
  name: string,
  file: string | undefined,
  flags: DatasetFlags,
  shell: Shell,
): Promise<number> {
  return withEngine(flags, shell, async ({ datasets, jobs }) => {
    const { job: id, from = 'json' } = flags
    const { added, changed, same } =
      id === undefined
        ? await putLines(name, file, datasets, shell)
        : await datasets.collect(name, documentsOf(await jobs.find(id)), { from })
    shell.err(`${added} added, ${changed} changed, ${same} the same\n`)
    return exitCodes.done
  })
}

async function putLines(
  name: string,
  file: string | undefined,
  datasets: CommandEngine['datasets'],
  shell: Shell,
): Promise<PutResult> {
  const input = file === undefined ? Readable.from([shell.stdin()]) : createReadStream(file)
  const sum = { added: 0, changed: 0, same: 0 }
  let waiting: NewRow[] = []
  const put = async (): Promise<void> => {
    const done = await datasets.put(name, waiting)
    for (const outcome of ['added', 'changed', 'same'] as const) sum[outcome] += done[outcome]
    waiting = []
  }
  let line = 0
  for await (const text of createInterface({ input })) {
    line += 1
    if (text.trim() === '') continue
    waiting.push(rowIn(jsonIn(`line ${line}`, text)))
    if (waiting.length === atOnce) await put()
  }
  if (waiting.length > 0) await put()
  return sum
}

/** A line is a row with its `values`, as an export has it, or the values alone. */
function rowIn(line: unknown): NewRow {
  const { values, source, evidence } = (line ?? {}) as Partial<DatasetRow>
  // Cast: what is no row is refused with the number of the row by the dataset.
  if (typeof values !== 'object') return { values: line as NewRow['values'] }
  return { values, ...(typeof source === 'string' && { source }), ...(evidence && { evidence }) }
}

function jsonIn(where: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineError('invalid_request', `${where} is not JSON.`)
  }
}

async function* documentsOf(job: CommandJob): AsyncGenerator<AnyDocument> {
  for await (const event of job.events()) if (event.type === 'page') yield event.document
}

export async function queryDataset(name: string, sql: string, flags: DatasetFlags, shell: Shell): Promise<number> {
  const limit = flags.limit === undefined ? {} : { limit: Number(flags.limit) }
  return withEngine(flags, shell, async ({ datasets }) => {
    const { columns, rows, isCut } = await datasets.query(name, { sql, timeout: 60_000, ...limit })
    if (!flags.json) shell.out(`${columns.map(printable).join('\t')}\n`)
    for (const row of rows) {
      const named = (): object => Object.fromEntries(columns.map((column, index) => [column, row[index]]))
      shell.out(
        flags.json ? `${JSON.stringify(named())}\n` : `${row.map((cell) => printable(`${cell ?? ''}`)).join('\t')}\n`,
      )
    }
    if (isCut) shell.err(`There are more rows. Raise --limit to see them.\n`)
    return exitCodes.done
  })
}

export async function exportDataset(name: string, flags: DatasetFlags, shell: Shell): Promise<number> {
  const { output } = flags
  const format = formatOf(flags)
  if (output === undefined && format === 'parquet') {
    throw new EngineError('invalid_request', 'Parquet is for files. Name one: --output rows.parquet')
  }
  return withEngine(flags, shell, async ({ datasets }) => {
    const { bytes } = await datasets.export(name, format)
    if (output === undefined) for await (const piece of bytes) shell.out(Buffer.from(piece).toString())
    else await pipeline(bytes, createWriteStream(output))
    return exitCodes.done
  })
}

function formatOf({ format, output = '' }: DatasetFlags): ExportFormatName {
  const wanted = format ?? exportFormats.find((name) => output.endsWith(`.${name}`)) ?? 'jsonl'
  const found = exportFormats.find((name) => name === wanted)
  if (found) return found
  throw new EngineError('invalid_request', `--format must be one of ${exportFormats.join(', ')}.`)
}

export async function deleteDataset(name: string, flags: DatasetFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ datasets }) => {
    await datasets.delete(name)
    shell.err(`The dataset ${name} is deleted.\n`)
    return exitCodes.done
  })
}
