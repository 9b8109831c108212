// A damaged file of a store never ends the process: node test/bench/reliability/flip-bytes.ts [places] [seed]
// Fills a SQLite file, flips bytes at so many random places, ten at a time, and each time starts an engine on it, scrapes,
// crawls and reads old things back. Prints what came of it; ends with 1 when an error was not caught, or nothing ended.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine, EngineError } from '@harvestman/core'
import type { MakeFetcher } from '@harvestman/ports'
import { sqliteStore } from '@harvestman/keyv'

const places = Number(process.argv[2] ?? 500)
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31))

/** The same numbers for the same seed. */
let state = seed
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
const flips = 10
const home = 'https://site.example/'

const fetcher: MakeFetcher = () => ({
  exchange: async ({ url }) => {
    const links = Array.from({ length: 20 }, (_, page) => `<a href="/${page}">Page ${page}</a>`).join(' ')
    const body = url.pathname === '/robots.txt' ? '' : `<main><h1>${url.pathname}</h1><p>Some words.</p>${links}</main>`
    const status = url.pathname === '/robots.txt' ? 404 : 200
    return { status, headers: [['content-type', 'text/html']], body: new TextEncoder().encode(body) }
  },
  close: async () => undefined,
})

const folder = mkdtempSync(join(tmpdir(), 'flip-bytes-'))
const file = join(folder, 'store.sqlite')
const open = () => {
  const store = sqliteStore(file, { lockTimeout: 100 })
  return { store, engine: createEngine({ store, fetcher }) }
}

async function fill(): Promise<{ readonly scrape: string; readonly crawl: string }> {
  const { store, engine } = open()
  const { metadata } = await engine.unchecked.scrape({ url: home, maxAge: 60_000 }, { keep: true })
  const crawl = await engine.unchecked.crawl({ url: home })
  await crawl.end()
  for (let page = 0; page < 50; page += 1)
    await engine.unchecked.scrape({ url: `${home}${page}`, maxAge: 60_000 }, { keep: true })
  await engine.close()
  await store.close()
  return { scrape: metadata.scrapeId, crawl: crawl.id }
}

const counts = new Map<string, number>()
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
const uncaught: unknown[] = []
process
  .on('uncaughtException', (error) => uncaught.push(error))
  .on('unhandledRejection', (error) => uncaught.push(error))

/** How a piece of work ends, within a time. */
async function endOf(round: number, name: string, work: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('did not end'), 60_000)
  })
  const how = work().then(
    () => 'served',
    (error: unknown) => (EngineError.is(error) ? error.code : `foreign: ${String(error)}`),
  )
  const ended = await Promise.race([how, late])
  count(`${name}: ${ended}`)
  if (ended === 'did not end') console.error(`round ${round}: ${name} did not end`)
  clearTimeout(timer)
}

const ids = await fill()
const whole = readFileSync(file)
for (let round = 0; round < places / flips; round += 1) {
  const bytes = Buffer.from(whole)
  for (let flip = 0; flip < flips; flip += 1) {
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  }
  for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true })
  writeFileSync(file, bytes)
  const { store, engine } = open()
  await endOf(round, 'start', () => engine.jobs.work())
  await endOf(round, 'scrape', () => engine.unchecked.scrape({ url: `${home}3`, maxAge: 60_000 }, { keep: true }))
  await endOf(round, 'find scrape', () => engine.results.find(ids.scrape))
  await endOf(round, 'find crawl', async () =>
    (await engine.jobs.findCrawl(ids.crawl)).page({ skip: 0, limit: 30, maxBytes: 1e6 }),
  )
  await endOf(round, 'crawl', async () => (await engine.unchecked.crawl({ url: home, limit: 5 })).end())
  await endOf(round, 'close', () => engine.close())
  await store.close()
}
rmSync(folder, { recursive: true, force: true })
console.table(
  [...counts].toSorted(([one], [other]) => one.localeCompare(other)).map(([what, times]) => ({ what, times })),
)
for (const error of uncaught) console.error(error)
const isBad = uncaught.length > 0 || [...counts.keys()].some((what) => /foreign|did not end/.test(what))
console.log(`seed ${seed}`)
console.log(isBad ? 'FAILED' : `${places} bytes flipped, nothing uncaught, everything ended`)
process.exit(isBad ? 1 : 0)
