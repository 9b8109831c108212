// A dataset of many rows whose writer is killed many times: how many rows there are in the end, and what it takes to count,
// query and export them. node test/bench/data/datasets.ts [rows] [kills]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { sqliteStore } from '@harvestman/keyv'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

const [rows = 1_000_000, kills = 20] = process.argv.slice(2).map(Number)
const child = fileURLToPath(new URL('../../../packages/data/test/writer.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-datasets-'))
const store = join(folder, 'store.sqlite')

/** Writes until it is done, or has said `most` lines: then it is killed in the middle of the next. */
async function write(most: number): Promise<void> {
  const writer = spawn(process.execPath, [child, store, String(rows)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  createInterface({ input: writer.stdout }).on('line', () => {
    lines += 1
    if (lines === most) setTimeout(() => writer.kill('SIGKILL'), 1 + (most % 7) * 13)
  })
  await once(writer, 'exit')
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now()
  const result = await work()
  console.log(`${what.padEnd(44)} ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return result
}

await timed(`${rows} rows written, the writer killed ${kills} times`, async () => {
  const portions = Math.ceil(rows / 5_000 / (kills + 1))
  for (let kill = 0; kill < kills; kill += 1) await write(Math.max(1, portions + (kill % 3)))
  await write(Infinity)
})
const engine = createEngine({ store: sqliteStore(store), plugins: [data()] })
const dataset = await timed('the number of rows', () => engine.datasets.get('products'))
const listed = await timed('rows counted one by one', async () => {
  let count = 0
  for await (const piece of (await engine.datasets.export('products', { format: 'jsonl' })).bytes) {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) count += 1
  }
  return count
})
const sql = 'SELECT count(*), count(DISTINCT url), sum(rank), round(avg(price), 4) FROM rows'
const answer = await timed('a query', () => engine.datasets.query('products', { sql, timeout: 120_000 }))
const file = join(folder, 'products.parquet')
await timed('written as Parquet', async () =>
  pipeline((await engine.datasets.export('products', { format: 'parquet' })).bytes, createWriteStream(file)),
)
await engine.close()
const parquet = await timed('Parquet read by another program', async () => {
  const buffer = await asyncBufferFromFile(file)
  const { num_rows: inFile } = await parquetMetadataAsync(buffer)
  const ranks = await parquetReadObjects({ file: buffer, columns: ['rank'] })
  return { inFile: Number(inFile), sum: ranks.reduce((sum, { rank }) => sum + Number(rank), 0) }
})
const sum = (rows * (rows - 1)) / 2
const mb = (path: string): string => `${(statSync(path).size / 1e6).toFixed(0)} MB`
console.log(`rows: ${dataset.rows} by the dataset, ${listed} one by one, ${parquet.inFile} in Parquet; asked ${rows}`)
console.log(`query: ${JSON.stringify(answer.rows[0])}; sum of ranks ${sum}, in Parquet ${parquet.sum}`)
console.log(
  `store ${mb(store)}, Parquet ${mb(file)}; ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB of memory in the end`,
)
rmSync(folder, { recursive: true })
const isRight = [dataset.rows, listed, parquet.inFile, answer.rows[0]?.[1]].every((count) => count === rows)
if (!isRight || parquet.sum !== sum || answer.rows[0]?.[2] !== sum) process.exitCode = 1
