// The results of a job: kept as our jobs keep them (log and checkpoint) and read back in pages, against
// what others do with the same results. Ratios of CPU and of wall time, all contenders in one process in turn.
//   node --expose-gc test/bench/store/run.ts <peers folder> [results: 10000] [rounds: 3]
// The peers folder has better-sqlite3, keyv and @keyv/sqlite in its node_modules; with '' only reading is measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { type Store, systemClock } from '@harvestman/ports'
import { keyvStore, sqliteKeyv, sqliteStore } from '@harvestman/keyv'
import { Keyv } from 'keyv'

import { ownBytes } from '@harvestman/ports/values'
import { uuidv7 } from '@harvestman/toolbox/uuid'
import { documentOf, openBench, type Bench, type MakePage } from '../../../packages/core/src/jobs/fixtures/bench.ts'
import { makeCheckpointer } from '../../../packages/core/src/jobs/log/checkpointer.ts'
import { openJobStorage } from '../../../packages/core/src/jobs/log/storage.ts'
import { jobState } from '../../../packages/core/src/jobs/log/state.ts'
import { openWriter } from '../../../packages/core/src/jobs/log/writer.ts'
import type { Job } from '../../../packages/core/src/jobs/handle.ts'
import { given, median, type Ratios, tellRatios } from '../ratios.ts'

const [peers = '', resultsText = '10000', roundsText = '3'] = given
const results = Number(resultsText)
const rounds = Number(roundsText)
/** Of how many results one is written where each takes tens of milliseconds. */
const part = 20
const pageLength = 100
/** Pages that come at once. */
const visits = 128

const text = 'Harvestmen have eight long legs, and "no" web. '.repeat(160)
const eightKilobytes: MakePage = async (task, visit) => ({ document: { ...documentOf(task, visit), markdown: text } })

interface Spent {
  readonly cpu: number
  readonly wall: number
}

async function timed(work: () => Promise<unknown>): Promise<Spent> {
  globalThis.gc?.()
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1000, wall: performance.now() - start }
}

/** Runs a job of as many pages as there are results. */
async function runJob(bench: Bench, pages: number): Promise<Job> {
  const job = await bench.open(pages)
  const { completed } = await job.end()
  if (completed !== pages) throw new Error(`Only ${completed} results were kept.`)
  return job
}

/** What a job keeps of its results: the segments of its log, and its checkpoint. */
async function ours(store: Store): Promise<Spent> {
  const now = Date.now()
  const opening = {
    id: 'bench',
    kind: 'bench',
    team: 'bench',
    request: {},
    salt: 'bench',
    createdAt: now,
    expiresAt: now + 86_400_000,
  }
  const storage = openJobStorage(store, opening, { clock: systemClock, vault: undefined })
  const state = jobState()
  await store.set(storage.name, {})
  const job = { opening, storage, by: 'bench' }
  const checkpoint = makeCheckpointer({ job, state, left: () => 0, store, wentBack: () => undefined })
  const writer = openWriter({
    log: storage.log,
    by: 'bench',
    place: 0,
    clock: systemClock,
    stored: (entries) => {
      const facts = entries.map(({ fact }) => fact)
      state.take(facts, 'bench')
      checkpoint.save()
    },
    troubled: (error) => console.log(error),
  })
  // Pages have ids, whoever keeps them.
  const ids = Array.from({ length: results }, () => uuidv7(now))
  let next = 0
  const visit = async (): Promise<void> => {
    while (next < results) {
      const task = next
      next += 1
      const document = ownBytes(Buffer.from(JSON.stringify(resultOf(task))))
      const fact = { is: 'page', at: now, task, id: ids[task] ?? '', url: 'https://made.up/', credits: 1 } as const
      await writer.add([{ fact: { ...fact, bytes: document.length }, document: [document] }])
    }
  }
  return timed(async () => {
    await Promise.all(Array.from({ length: visits }, visit))
    await writer.close()
    await checkpoint.close()
    if (state.ends.last !== results) throw new Error(`Only ${state.ends.last} results were kept.`)
  })
}

const resultOf = (number: number): object => ({
  markdown: text,
  metadata: { sourceURL: `https://made.up/${number}`, url: `https://made.up/${number}`, statusCode: 200 },
})

interface Database {
  pragma(text: string): unknown
  exec(text: string): unknown
  prepare(text: string): { run(...values: unknown[]): unknown }
  close(): void
}

async function betterSqlite(file: string): Promise<Spent> {
  const Open = createRequire(resolve(peers, 'package.json'))('better-sqlite3') as new (file: string) => Database
  const database = new Open(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec('CREATE TABLE results (id INTEGER PRIMARY KEY, job TEXT, value TEXT)')
  const put = database.prepare('INSERT INTO results VALUES (?, ?, ?)')
  const spent = await timed(async () => {
    for (let number = 0; number < results; number += 1) put.run(number, 'job', JSON.stringify(resultOf(number)))
  })
  database.close()
  return spent
}

/** As its readme shows it: `new Keyv({ store: new KeyvSqlite(uri) })`, a `set` for each result. */
async function rawKeyv(file: string): Promise<Spent> {
  const load = async (name: string): Promise<Record<string, unknown>> =>
    (await import(pathToFileURL(createRequire(resolve(peers, 'package.json')).resolve(name)).href)) as never
  const { KeyvSqlite } = (await load('@keyv/sqlite')) as { KeyvSqlite: new (uri: string) => never }
  const { Keyv: Peer } = (await load('keyv')) as unknown as { Keyv: typeof Keyv }
  const keyv = new Peer({ store: new KeyvSqlite(`sqlite://${file}`) })
  await keyv.set('warm', 1)
  const { cpu, wall } = await timed(async () => {
    for (let number = 0; number < results / part; number += 1) await keyv.set(`job/${number}`, resultOf(number))
  })
  await keyv.disconnect()
  return { cpu: cpu * part, wall: wall * part }
}

const contenders: Readonly<Record<string, (file: string) => Promise<Spent>>> = {
  'better-sqlite3, an insert for each result': betterSqlite,
  'as our jobs do, on sqliteStore': async (file) => {
    const store = sqliteStore(file)
    const spent = await ours(store)
    await store.close()
    return spent
  },
  'raw @keyv/sqlite, a set for each result': rawKeyv,
  'as our jobs do, on keyvStore with sqliteKeyv': (file) =>
    onKeyv(new Keyv({ store: sqliteKeyv(file), serialization: false })),
  "the same with Keyv's serialization": (file) => onKeyv(new Keyv({ store: sqliteKeyv(file) })),
}

async function onKeyv(keyv: Keyv): Promise<Spent> {
  const store = keyvStore(keyv)
  const spent = await ours(store)
  await store.close()
  await keyv.disconnect()
  return spent
}

async function inFolder<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-store-'))
  return work(join(folder, 'results.sqlite')).finally(() => rmSync(folder, { recursive: true, force: true }))
}

async function compareWriting(): Promise<void> {
  const spent = new Map<string, Spent[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      try {
        spent.set(name, [...(spent.get(name) ?? []), await inFolder(run)])
      } catch (error) {
        console.log(`${name}: cannot be measured here. ${error instanceof Error ? error.message.split('\n')[0] : ''}`)
      }
    }
  }
  const rows = [...spent].map(([name, all]) => ({
    name,
    cpu: median(all.map(({ cpu }) => cpu)),
    wall: median(all.map(({ wall }) => wall)),
  }))
  const ratios = (base: string) => rows.find(({ name }) => name.startsWith(base))
  console.log(`\nA job of ${results} results of 8 KB, ${rounds} rounds, medians\n`)
  console.log('| | CPU ms | wall ms | CPU x better-sqlite3 | wall x better-sqlite3 | wall x raw @keyv/sqlite |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const { name, cpu, wall } of rows) {
    const [plain, raw] = [ratios('better'), ratios('raw')]
    const cells = [
      cpu.toFixed(0),
      wall.toFixed(0),
      over(cpu, plain?.cpu),
      over(wall, plain?.wall),
      over(wall, raw?.wall),
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}

function over(value: number, base: number | undefined): string {
  return base === undefined ? '' : (value / base).toFixed(3)
}

/** CPU of the main thread for a call, in milliseconds. The system counts in steps of milliseconds, so over many calls. */
async function costOf(work: () => Promise<unknown>, times: number): Promise<number> {
  globalThis.gc?.()
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time += 1) await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / times
}

async function readAll(job: Job): Promise<void> {
  let count = 0
  for (let next: number | undefined = 0; next !== undefined;) {
    const page = await job.page({ skip: next, limit: pageLength, maxBytes: 10_000_000 })
    count += page.count
    next = page.next
  }
  if (count !== results) throw new Error(`Only ${count} results were read.`)
}

function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1e6
}

async function compareReading(file: string): Promise<Ratios> {
  const store = sqliteStore(file)
  const bench = openBench({ store, page: eightKilobytes, concurrency: 16 })
  const job = await runJob(bench, results)
  const read = (skip: number) => () => job.page({ skip, limit: pageLength, maxBytes: 10_000_000 })
  await costOf(read(0), 100)
  const first = await costOf(read(0), 400)
  const last = await costOf(read(results - pageLength), 400)
  await readAll(job)
  const before = memory()
  for (let time = 0; time < 3; time += 1) await readAll(job)
  const grown = memory() - before
  const large: MakePage = async (task, visit) => ({
    document: { ...documentOf(task, visit), markdown: 'x'.repeat(1e5) },
  })
  const largeBench = openBench({ store, page: large })
  const largeJob = await runJob(largeBench, 100)
  const whole = () => largeJob.page({ skip: 0, limit: 100, maxBytes: 10_500_000 })
  const { documents } = await whole()
  const bytes = documents.reduce((sum, { length }) => sum + length, 0)
  const cost = await costOf(whole, 50)
  const naive = await costOf(async () => JSON.stringify(JSON.parse(`[${Buffer.concat(documents).toString()}]`)), 10)
  console.log('\n| reading, main thread | |\n| --- | --- |')
  console.log(`| page of ${pageLength} results at 0, CPU ms | ${first.toFixed(2)} |`)
  console.log(`| the same at ${results - pageLength}, over that at 0 | ${(last / first).toFixed(2)} |`)
  console.log(`| memory that reading all results three times adds, MB | ${grown.toFixed(0)} |`)
  console.log(`| page of ${(bytes / 1e6).toFixed(1)} MB, CPU ms | ${cost.toFixed(2)} |`)
  console.log(`| the same, parsed and printed, CPU ms | ${naive.toFixed(1)} |`)
  await bench.close()
  await largeBench.close()
  await store.close()
  return {
    'last page of results, over the first': last / first,
    'page of 10 MB, over parsed and printed': cost / naive,
  }
}

if (peers !== '') await compareWriting()
tellRatios(await inFolder(compareReading))
