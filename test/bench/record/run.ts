// What recording costs a page: node test/bench/record/run.ts [folder of saved pages, or '' for made-up ones] [pages] [rounds]
// Prints processor time a page, all threads counted, of an engine that records and of one that does not, in turns within
// one process, and the ratio of their medians. The server is another process.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import PQueue from 'p-queue'

import { createEngine } from '@harvestman/core'
import { recording } from '@harvestman/record'

import { given, median } from '../ratios.ts'

const [folder = '', pages = '400', rounds = '7'] = given
const server = fork(fileURLToPath(new URL('../scrape/pages.ts', import.meta.url)), [folder])
process.on('exit', () => server.kill())
const site = await new Promise<{ readonly port: number; readonly pages: number; readonly meanBytes: number }>(
  (resolve) => server.once('message', (told) => resolve(told as never)),
)
console.log(
  `${site.pages} different pages, ${Math.round(site.meanBytes / 1_000)} KB on average; ${pages} visits a round, ${rounds} rounds`,
)
const records = mkdtempSync(join(tmpdir(), 'record-bench-'))
let bytes = 0

/** Milliseconds of processor time a page, the end of the engine included: it is then that a record is whole. */
async function round(isRecorded: boolean, number: number): Promise<number> {
  const file = join(records, `${number}.warc.gz`)
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: isRecorded ? [recording({ file })] : [] })
  const visit = (index: number) =>
    engine.scrape({ url: `http://127.0.0.1:${site.port}/${index}`, formats: ['markdown', 'links'], timeout: 300_000 })
  // The first pages start threads and connections.
  await Promise.all(Array.from({ length: 16 }, (_, index) => visit(index)))
  const before = process.cpuUsage()
  const queue = new PQueue({ concurrency: 16 })
  for (let index = 0; index < Number(pages); index += 1) void queue.add(() => visit(index))
  await queue.onIdle()
  await engine.close()
  const { user, system } = process.cpuUsage(before)
  if (isRecorded) bytes = statSync(file).size
  return (user + system) / 1_000 / Number(pages)
}

await round(true, 0)
const [plain, recorded]: [number[], number[]] = [[], []]
for (let number = 1; number <= Number(rounds); number += 1) {
  const order = number % 2 === 0 ? [true, false] : [false, true]
  for (const isRecorded of order) (isRecorded ? recorded : plain).push(await round(isRecorded, number))
}
const ratio = median(recorded.map((cost, index) => cost / (plain[index] ?? Number.NaN)))
console.log(`without a record: ${median(plain).toFixed(2)} ms of processor time a page`)
console.log(
  `with a record:    ${median(recorded).toFixed(2)} ms, ${((ratio - 1) * 100).toFixed(1)} % more (median of ${rounds} pairs)`,
)
console.log(`record:           ${Math.round(bytes / (Number(pages) + 16) / 1_000)} KB a page`)
rmSync(records, { recursive: true })
server.kill()
