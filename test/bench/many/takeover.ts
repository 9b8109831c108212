// What the next worker of a crawl reads before it goes on: bytes out of the store and time, from the whole log of the job
// and from its snapshot, in turn in one run. The job was written as our jobs write: by the journal of a run.
//   node test/bench/many/takeover.ts [pages: 1000,10000,100000] [stores: sqlite,redis,postgres]
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sqliteStore } from '@harvestman/keyv'
import { type Store, type Value, systemClock } from '@harvestman/ports'
import { ownBytes } from '@harvestman/ports/values'

import { openStrategy } from '../../../packages/core/src/crawl/strategy.ts'
import type { JobKit } from '../../../packages/core/src/jobs/kit.ts'
import type { Entry, Opening } from '../../../packages/core/src/jobs/log/facts.ts'
import { replayLog } from '../../../packages/core/src/jobs/log/replay.ts'
import { openRestored, snapshotKey } from '../../../packages/core/src/jobs/log/snapshot.ts'
import { jobState } from '../../../packages/core/src/jobs/log/state.ts'
import { openJobStorage } from '../../../packages/core/src/jobs/log/storage.ts'
import { openJournal } from '../../../packages/core/src/jobs/run/journal.ts'
import type { RunContext, Strategy } from '../../../packages/core/src/jobs/run/strategy.ts'
import { postgresBackend, redisBackend } from './measuring/backends.ts'

const [pagesText = '1000,10000,100000', storesText = 'sqlite,redis,postgres'] = process.argv.slice(2)
const host = 'shop.example'
/** Links to pages that are new, on each page. */
const newLinks = 2
/** Letters that are like those of other pages, and letters that are not. */
const [like, own] = [6_000, 2_000]
/** Entries under way at once. */
const atOnce = 64

interface OpenedStore {
  readonly store: Store
  readonly close: () => Promise<void>
}

const stores: Readonly<Record<string, () => Promise<OpenedStore>>> = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harvestman-takeover-'))
    const store = sqliteStore(join(folder, 'store.sqlite'))
    return {
      store,
      close: async () => {
        await store.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
  redis: async () => ofServer(await redisBackend()),
  postgres: async () => ofServer(await postgresBackend()),
}

function ofServer({ openStore, remove }: Awaited<ReturnType<typeof redisBackend>>): OpenedStore {
  const store = openStore()
  return { store, close: () => store.close().then(remove) }
}

/** A store that counts what is read out of it and how often it is written to. */
function counted(store: Store) {
  const counts = { bytes: 0, values: 0, writes: 0 }
  const count = (value: Value | undefined): void => {
    if (value === undefined) return
    counts.values += 1
    counts.bytes += value instanceof Uint8Array ? value.byteLength : JSON.stringify(value).length
  }
  const counting: Store = {
    ...store,
    get: async (key) => {
      const value = await store.get(key)
      count(value)
      return value
    },
    getMany: async (keys) => {
      const values = (await store.getMany?.(keys)) ?? (await Promise.all(keys.map((key) => store.get(key))))
      values.forEach(count)
      return values
    },
    set: (...given) => ((counts.writes += 1), store.set(...given)),
    update: (...given) => ((counts.writes += 1), store.update(...given)),
  }
  return { store: counting, counts }
}

function openingOf(pages: number): Opening {
  const request = {
    url: `https://${host}/`,
    limit: pages * 2,
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    crawlEntireDomain: true,
    allowSubdomains: false,
    allowExternalLinks: false,
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
    regexOnFullURL: false,
    includePaths: [],
    excludePaths: [],
    scrapeOptions: { formats: [{ type: 'markdown' }] },
  }
  const now = Date.now()
  const times = { createdAt: now, expiresAt: now + 86_400_000 }
  return { id: `takeover-${pages}`, kind: 'crawl', team: 'bench', request, salt: 'bench', ...times }
}

const addressOf = (number: number): string => `https://${host}/department-${number % 97}/product-number-${number}`

/** A page, what it leads to and what was learnt of it, as a visit tells them. */
function entriesOf(task: number): Entry[] {
  const url = task === 0 ? `https://${host}/` : addressOf(task)
  const first = task * newLinks + 1
  const found = Array.from({ length: newLinks }, (_, link) => [addressOf(first + link), host, 3, 0])
  const words =
    'All that our department sells is made to last. '.repeat(like / 47) + randomBytes(own / 2).toString('hex')
  const document = ownBytes(Buffer.from(JSON.stringify({ markdown: words, metadata: { url, statusCode: 200 } })))
  const at = Date.now()
  const page = {
    is: 'page',
    at,
    task,
    id: crypto.randomUUID(),
    url,
    credits: 1,
    bytes: document.length,
    status: 200,
  } as const
  const [high, low] = new Uint32Array(new Uint8Array(randomBytes(8)).buffer)
  return [
    { fact: page, document: [document] },
    { fact: { is: 'noted', at, note: { found, on: url } } },
    { fact: { is: 'noted', at, note: { learnt: [url, high, low] } } },
  ]
}

function openCrawl(opening: Opening, offered: (count: number) => void = () => undefined): Strategy {
  const context = {
    offer: (_: string, count = 1) => offered(count),
    slowDown: () => undefined,
    scratch: () => ({ write: async () => undefined, read: () => Promise.reject(new Error('It is not needed here.')) }),
    warn: console.error,
    signal: new AbortController().signal,
  } as unknown as RunContext
  return openStrategy(opening, context, {} as Parameters<typeof openStrategy>[2])
}

/** Writes the job, and ends as a process does that is killed: without a last snapshot. Tells the writes to the store. */
async function writeJob(pages: number, opening: Opening, store: Store): Promise<number> {
  const { store: counting, counts } = counted(store)
  const storage = openJobStorage(counting, opening, { clock: systemClock, vault: undefined })
  const job = { opening, storage, by: 'bench', lost: new AbortController().signal }
  const kit = { store: counting, clock: systemClock, warn: console.error } as unknown as JobKit
  // As where a job is opened.
  await store.set(storage.name, {})
  const journal = openJournal({
    job,
    state: jobState(),
    strategy: openCrawl(opening),
    snapshot: { parts: {}, pages: 0 },
    changed: () => undefined,
    wentBack: () => undefined,
    kit,
  })
  await journal.add([
    { fact: { is: 'opened', at: 0, opening } },
    { fact: { is: 'noted', at: 0, note: { found: [[`https://${host}/`, host, 0, 0]] } } },
  ])
  let next = 0
  const visit = async (): Promise<void> => {
    while (next < pages) await journal.add(entriesOf(next++))
  }
  await Promise.all(Array.from({ length: atOnce }, visit))
  const last = await store.get(snapshotKey(storage.name))
  await journal.close()
  if (last !== undefined) await store.set(snapshotKey(storage.name), last, storage.keep())
  return counts.writes
}

/** Takes the job up, until its first page may be visited. */
async function takeUp(opening: Opening, store: Store): Promise<string> {
  const { store: counting, counts } = counted(store)
  const storage = openJobStorage(counting, opening, { clock: systemClock, vault: undefined })
  globalThis.gc?.()
  const start = performance.now()
  const first = Promise.withResolvers<unknown>()
  const { strategy, state } = await openRestored(() => openCrawl(opening, first.resolve), storage, counting)
  await replayLog(storage.log, strategy.fold, state)
  void strategy.explore(() => new Promise<void>(() => undefined))
  await first.promise
  const seconds = (performance.now() - start) / 1000
  const { completed } = state.tally
  const size = (counts.bytes / 1_000_000).toFixed(2)
  return `${size} MB in ${counts.values} values, ${seconds.toFixed(2)} s (${completed} pages done, ${strategy.left()} left)`
}

for (const name of storesText.split(',')) {
  for (const pages of pagesText.split(',').map(Number)) {
    const { store, close } = await stores[name]!()
    const opening = openingOf(pages)
    const writes = await writeJob(pages, opening, store)
    const key = snapshotKey(openJobStorage(store, opening, { clock: systemClock, vault: undefined }).name)
    console.log(`${name}, ${pages} pages: ${(writes / pages).toFixed(3)} writes a page`)
    console.log(`  from the snapshot: ${await takeUp(opening, store)}`)
    await store.delete(key)
    console.log(`  from the whole log: ${await takeUp(opening, store)}`)
    await close()
  }
}
