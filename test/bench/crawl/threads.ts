// Pages a second of a crawl with different numbers of reading threads: node test/bench/crawl/threads.ts [pages] [rounds]
// A loader returns generated pages of 71 KB from memory, so the time is that of the engine. Each number runs in its own process.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import { sqliteStore } from '@harvestman/keyv'

import { madeUpPage } from '../made-up-pages.ts'
import { median } from '../ratios.ts'

interface Figures {
  readonly rate: number
  readonly cpu: number
  readonly main: number
}

const [pages = '1000', rounds = '3', ofChild] = process.argv.slice(2)
const warmUpPages = 200
const inPlace = 0
const numbersOfThreads = [inPlace, 1, 2, 4]

if (ofChild === undefined) await compare()
else process.send?.(await measure(Number(ofChild)), () => process.exit())

async function compare(): Promise<void> {
  const found = new Map<number, Figures[]>(numbersOfThreads.map((threads) => [threads, []]))
  for (let round = 0; round < Number(rounds); round += 1)
    for (const threads of numbersOfThreads) found.get(threads)?.push(await run(threads))
  console.log(`${pages} pages on ${availableParallelism()} cores, medians of ${rounds} rounds`)
  const middle = (threads: number, key: keyof Figures): number =>
    median((found.get(threads) ?? []).map((figures) => figures[key]))
  console.table(
    numbersOfThreads.map((threads) => ({
      read: threads === inPlace ? 'on the main thread' : `in ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
      'pages/s': Math.round(middle(threads, 'rate')),
      '× main thread': (middle(threads, 'rate') / middle(inPlace, 'rate')).toFixed(2),
      'CPU ms a page': middle(threads, 'cpu').toFixed(2),
      'of it on the main thread': middle(threads, 'main').toFixed(2),
    })),
  )
}

function run(threads: number): Promise<Figures> {
  const child = fork(import.meta.filename, [pages, rounds, String(threads)])
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as Figures))
    child.once('exit', (code) => reject(new Error(`The process with ${threads} threads exited with ${code}.`)))
  })
}

async function measure(threads: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'threads-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const engine = createEngine({
    plugins: [definePlugin({ name: 'pages', loaders: [generatedPages()] })],
    store: sqliteStore(join(folder, 'jobs.db')),
    limits: threads === inPlace ? { inlineBytes: 1e9 } : { inlineBytes: 0, readers: threads },
  })
  const crawl = async (host: string, limit: number): Promise<void> => {
    const job = await engine.crawl({
      url: `https://${host}.example/`,
      limit,
      sitemap: 'skip',
      ignoreRobotsTxt: true,
      maxConcurrency: 16,
      scrapeOptions: { formats: ['markdown', 'links'] },
    })
    let found = 0
    for await (const _ of job.documents()) found += 1
    if (found !== limit) throw new Error(`The crawl returned ${found} of ${limit} pages.`)
  }
  await crawl('first', warmUpPages)
  const [began, cpu, main] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
  await crawl('second', Number(pages))
  const perPage = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000 / Number(pages)
  return {
    rate: Number(pages) / ((performance.now() - began) / 1_000),
    cpu: perPage(process.cpuUsage(cpu)),
    main: perPage(process.threadCpuUsage(main)),
  }
}

/** Creates a loader of generated pages. They exist before the measured crawl. */
function generatedPages() {
  const count = Number(pages)
  const bodies = Array.from({ length: count }, (_, number) => Buffer.from(madeUpPage(number, count)))
  return defineLoader({
    name: 'pages',
    cost: 0,
    load: async ({ url }) => ({
      url: url.href,
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: new Uint8Array(bodies[Number(/^\/articles\/(\d+)-/.exec(url.pathname)?.[1] ?? 0) % count]!),
      captured: {},
      actions: {},
      proxyUsed: 'basic',
      warnings: [],
    }),
  })
}
