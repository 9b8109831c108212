// An engine on a file whose bytes were flipped starts, scrapes, crawls and closes, or says what is wrong with its store; more
// places, and other ones each time: test/bench/reliability/flip-bytes.ts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { createEngine, EngineError } from '@harvestman/core'
import type { MakeFetcher } from '@harvestman/ports'
import { sqliteStore } from '@harvestman/keyv'
import { expect, test } from 'vitest'

const home = 'https://site.example/'

const fetcher: MakeFetcher = () => ({
  exchange: async ({ url }) => {
    const isPage = url.pathname !== '/robots.txt'
    const body = isPage
      ? `<main><h1>${url.pathname}</h1><p>Some words.</p><a href="/1">1</a><a href="/2">2</a></main>`
      : ''
    return {
      status: isPage ? 200 : 404,
      headers: [['content-type', 'text/html']],
      body: new TextEncoder().encode(body),
    }
  },
  close: async () => undefined,
})

/** Longer than anything takes on a busy machine, and shorter than the test may. */
const timeout = 60_000

async function outcome(name: string, work: Promise<unknown>): Promise<string> {
  const ended = work.then(
    () => 'served',
    (error: unknown) => (EngineError.is(error) ? error.code : `foreign: ${name}: ${String(error)}`),
  )
  const late = new AbortController()
  const given = setTimeout(timeout, `did not end: ${name}`, { signal: late.signal }).catch(() => '')
  return Promise.race([ended, given]).finally(() => late.abort())
}

test('forty flipped bytes end no process and leave nothing waiting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-damaged-'))
  const file = join(folder, 'store.sqlite')
  const open = () => {
    const store = sqliteStore(file, { lockTimeout: 100 })
    return { store, engine: createEngine({ store, fetcher }) }
  }
  const first = open()
  for (let page = 0; page < 20; page += 1)
    await first.engine.unchecked.scrape({ url: `${home}${page}`, maxAge: 60_000 }, { keep: true })
  const { id } = await first.engine.crawl({ url: home })
  await (await first.engine.jobs.findCrawl(id)).end()
  await first.engine.close()
  await first.store.close()
  const whole = readFileSync(file)

  let state = 7
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const faults: unknown[] = []
  const onFault = (error: unknown): void => void faults.push(error)
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault)
  const seen = new Set<string>()
  try {
    for (let round = 0; round < 4; round += 1) {
      const bytes = Buffer.from(whole)
      for (let flip = 0; flip < 10; flip += 1) {
        const at = Math.floor(random() * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      }
      for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true })
      writeFileSync(file, bytes)
      const { store, engine } = open()
      const steps: Readonly<Record<string, () => Promise<unknown>>> = {
        work: () => engine.jobs.work(),
        scrape: () => engine.unchecked.scrape({ url: `${home}3`, maxAge: 60_000 }, { keep: true }),
        find: async () => (await engine.jobs.findCrawl(id)).page({ skip: 0, limit: 30, maxBytes: 1e6 }),
        crawl: async () => (await engine.crawl({ url: home, limit: 3 })).end(),
        close: () => engine.close(),
      }
      for (const [name, step] of Object.entries(steps)) seen.add(await outcome(`${name} of round ${round}`, step()))
      await store.close()
    }
    await setTimeout(50)
  } finally {
    process.off('uncaughtException', onFault).off('unhandledRejection', onFault)
    rmSync(folder, { recursive: true, force: true })
  }
  expect(faults).toEqual([])
  expect(seen).toContain('served')
  expect([...seen].filter((one) => !['served', 'store_failed', 'not_found'].includes(one))).toEqual([])
})
