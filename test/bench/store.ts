// Writes the results of a job, 8 KB each, and reads them back in pages of a hundred, in each kind of store; prints
// processor time and wall time as ratios to plain node:sqlite with an insert for each result.
//   node test/bench/store.ts [results: 10000] [rounds: 3]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { memoryStore } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import { keyvStore, sqliteKeyv, sqliteStore } from '@harvestman/keyv'
import { Keyv } from 'keyv'

import { asksForRatios, given, median, tellRatios } from './ratios.ts'

interface Contender {
  keep(key: string, result: object): Promise<unknown> | void
  read(keys: readonly string[]): Promise<readonly unknown[]> | readonly unknown[]
  close(): Promise<unknown> | void
  /** Of how many results one is written, where all would take minutes. */
  readonly part?: number
}

interface Figures {
  readonly writeCpu: number
  readonly writeWall: number
  readonly readCpu: number
}

const [results = 10_000, rounds = 3] = given.map(Number)
const writers = 16
const pageLength = 100

const contenders: Readonly<Record<string, (file: string) => Contender>> = {
  'plain node:sqlite, an insert for each result': (file) => plain(file, 1),
  'plain node:sqlite, 100 in a transaction': (file) => plain(file, 100),
  memoryStore: () => ofStore(memoryStore()),
  sqliteStore: (file) => ofStore(sqliteStore(file)),
  'sqliteStore, bytes': (file) => ofBytes(sqliteStore(file)),
  'keyvStore, sqliteKeyv, no serialization': (file) =>
    onKeyv(new Keyv({ store: sqliteKeyv(file), serialization: false })),
  'keyvStore, sqliteKeyv': (file) => onKeyv(new Keyv({ store: sqliteKeyv(file) })),
  'plain Keyv, a sync for each result': (file) => usualKeyv(file),
}

function ofStore(store: Store): Contender {
  return {
    keep: (key, result) => store.set(key, result as never),
    read: (keys) => store.getMany?.(keys) ?? [],
    close: () => store.close(),
  }
}

function ofBytes(store: Store): Contender {
  const encoder = new TextEncoder()
  return { ...ofStore(store), keep: (key, result) => store.set(key, encoder.encode(JSON.stringify(result))) }
}

function onKeyv(keyv: Keyv): Contender {
  const store = keyvStore(keyv)
  return { ...ofStore(store), close: () => store.close().then(() => keyv.disconnect()) }
}

function plain(file: string, group: number): Contender {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec('CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT)')
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)')
  const get = database.prepare('SELECT value FROM kept WHERE key = ?')
  let open = 0
  return {
    keep(key, result) {
      if (group > 1 && open === 0) database.exec('BEGIN')
      put.run(key, JSON.stringify(result))
      open = (open + 1) % group
      if (group > 1 && open === 0) database.exec('COMMIT')
    },
    read: (keys) => keys.map((key) => JSON.parse(String(get.get(key)?.['value'])) as unknown),
    close() {
      if (open > 0) database.exec('COMMIT')
      database.close()
    },
  }
}

// As the common SQLite adapters of Keyv work: the default journal, and a sync for each write.
function usualKeyv(file: string): Contender {
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE keyv (key TEXT PRIMARY KEY, value TEXT)')
  const put = database.prepare('INSERT OR REPLACE INTO keyv VALUES (?, ?)')
  const get = database.prepare('SELECT value FROM keyv WHERE key = ?')
  const keyv = new Keyv({
    store: {
      get: async (key: string) => get.get(key)?.['value'],
      set: async (key: string, value: string) => put.run(key, value).changes > 0,
      delete: async () => true,
      clear: async () => undefined,
    },
  })
  return {
    keep: (key, result) => keyv.set(key, result),
    read: (keys) => keyv.getMany([...keys]),
    close: () => database.close(),
    part: 20,
  }
}

function resultOf(number: number): object {
  const url = `https://example.com/page/${number}`
  const markdown = `# Page ${number}\n\n${'Harvestmen have eight long legs, and "no" web. '.repeat(160)}`
  return { markdown, metadata: { url, sourceURL: url, statusCode: 200, title: `Page ${number}` } }
}

async function measure(make: (file: string) => Contender): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-bench-'))
  try {
    const contender = make(join(folder, 'store.db'))
    const count = Math.ceil(results / (contender.part ?? 1))
    const write = await timed(() => writeAll(contender, count))
    const read = await timed(() => readAll(contender, count))
    await contender.close()
    const scale = results / count
    return { writeCpu: write.cpu * scale, writeWall: write.wall * scale, readCpu: read.cpu * scale }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeAll(contender: Contender, count: number): Promise<void> {
  let next = 0
  const writer = async () => {
    while (next < count) {
      const number = next
      next += 1
      await contender.keep(`job/${number}`, resultOf(number))
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
}

async function readAll(contender: Contender, count: number): Promise<void> {
  for (let from = 0; from < count; from += pageLength) {
    const length = Math.min(pageLength, count - from)
    const page = await contender.read(Array.from({ length }, (_, index) => `job/${from + index}`))
    if (page.length !== length || page.includes(undefined)) throw new Error(`Results after ${from} are missing.`)
  }
}

async function timed(work: () => Promise<void>): Promise<{ readonly cpu: number; readonly wall: number }> {
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1000, wall: performance.now() - start }
}

const kept = new Set(['memoryStore', 'sqliteStore', 'keyvStore, sqliteKeyv, no serialization'])
const figures = new Map<string, Figures[]>()
for (let round = 0; round < rounds; round += 1)
  for (const [name, make] of Object.entries(contenders)) {
    if (asksForRatios && !name.startsWith('plain node') && !kept.has(name)) continue
    globalThis.gc?.()
    figures.set(name, [...(figures.get(name) ?? []), await measure(make)])
  }

const rows = [...figures].map(([name, all]) => ({
  name,
  writeCpu: median(all.map(({ writeCpu }) => writeCpu)),
  writeWall: median(all.map(({ writeWall }) => writeWall)),
  readCpu: median(all.map(({ readCpu }) => readCpu)),
}))
const base = rows[0]
if (base)
  console.table(
    rows.map(({ name, writeCpu, writeWall, readCpu }) => ({
      store: name,
      'write, CPU us': Math.round((writeCpu / results) * 1000),
      'x plain': (writeCpu / base.writeCpu).toFixed(2),
      'wall x plain': (writeWall / base.writeWall).toFixed(2),
      'read, CPU us': Math.round((readCpu / results) * 1000),
      'read x plain': (readCpu / base.readCpu).toFixed(2),
    })),
  )
const isKept = ({ name }: { readonly name: string }): boolean => kept.has(name)
if (base)
  tellRatios(
    Object.fromEntries(
      rows.filter(isKept).flatMap(({ name, writeCpu, readCpu }) => [
        [`${name}, writing, over plain`, writeCpu / base.writeCpu],
        [`${name}, reading, over plain`, readCpu / base.readCpu],
      ]),
    ),
  )
