// Adds rows to a dataset, from JSON lines or from the documents of a job, in as many requests as needed.
import { accessSync, constants, createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

import { chunksOf } from '@harvestman/client'
import { rowsOfDocument, type DatasetRow, type NewRow, type PutResult } from '@harvestman/data'
import { EngineError } from '@harvestman/ports'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { featureOf, findPages, type CommandJob } from './client.ts'
import { withClient, type EngineFlags } from './follow.ts'
import { exitCodes, type Shell } from './shell.ts'

/** Flags of `datasets add`. */
export interface DatasetFlags extends EngineFlags {
  readonly job?: string
  readonly from?: string
}

const rowsAtOnce = 1_000

/**
 * Adds the rows of a file, of standard input, or of a job. Prints how many were added, changed and unchanged. Resolves to the
 * exit code. Rejects if the input is not valid or the job does not exist; rows added before that remain.
 */
export async function addRows(
  name: string,
  file: string | undefined,
  flags: DatasetFlags,
  shell: Shell,
): Promise<number> {
  return withClient(flags, shell, async (client) => {
    const { job: id, from = 'json' } = flags
    const rows =
      id === undefined ? rowsOfLines(file, shell) : rowsOfJob(findPages(client, await client.jobStatus(id)), from)
    const datasets = featureOf(client, 'datasets')
    const sum = { added: 0, changed: 0, same: 0 }
    const put = async (gathered: readonly NewRow[]): Promise<void> => {
      for (const some of chunksOf(gathered)) {
        const done = await datasets['put']?.(name, { rows: some })
        for (const outcome of ['added', 'changed', 'same'] as const) sum[outcome] += (done as PutResult)[outcome]
      }
    }
    let waiting: NewRow[] = []
    for await (const row of rows) {
      waiting.push(row)
      if (waiting.length < rowsAtOnce) continue
      await put(waiting)
      waiting = []
    }
    await put(waiting)
    shell.err(`${sum.added} added, ${sum.changed} changed, ${sum.same} the same\n`)
    return exitCodes.done
  })
}

async function* rowsOfLines(file: string | undefined, shell: Shell): AsyncGenerator<NewRow> {
  if (file !== undefined) checkFile(file)
  const input = file === undefined ? Readable.from([shell.stdin()]) : createReadStream(file)
  let line = 0
  for await (const text of createInterface({ input })) {
    line += 1
    if (text.trim() !== '') yield rowIn(line, text)
  }
}

/** Throws `invalid_request` if a file cannot be read or is a folder. */
export function checkFile(file: string): void {
  let isFolder: boolean
  try {
    accessSync(file, constants.R_OK)
    isFolder = statSync(file).isDirectory()
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be read. Check its path and permissions.`, { cause })
  }
  if (isFolder) throw new EngineError('invalid_request', `${file} is a folder. Pass a file with JSON lines.`)
}

/** Parses a line: an exported row with `values`, or the values alone. */
function rowIn(number: number, text: string): NewRow {
  const line = jsonIn(number, text)
  const { values, source, evidence } = (line ?? {}) as Partial<DatasetRow>
  // Cast: the dataset rejects an invalid row by its number.
  if (typeof values !== 'object') return { values: line as NewRow['values'] }
  return { values, ...(typeof source === 'string' && { source }), ...(evidence && { evidence }) }
}

function jsonIn(line: number, text: string): unknown {
  const value = parseJson(text)
  if (value === undefined)
    throw new EngineError('invalid_request', `Line ${line} is not JSON. Write one JSON object per line.`)
  return value
}

async function* rowsOfJob(job: CommandJob, from: string): AsyncGenerator<NewRow> {
  for await (const event of job.events()) {
    if (event.type !== 'page') continue
    for (const { source, ...row } of rowsOfDocument(event.document, { from }))
      yield { ...row, ...(source != null && { source }) }
  }
}
