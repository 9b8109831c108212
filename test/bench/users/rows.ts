// What is measured. Each row runs in cold processes of plain Node, and returns its figures by column.
import { setTimeout } from 'node:timers/promises'

import { measure, type Program } from './measure.ts'
import { startServer } from './server.ts'

/** Figures of one run, by the name of the column. */
export type Figures = Readonly<Record<string, number>>

export interface Site {
  /** URL with a slash at the end. */
  readonly generated: string
  /** The same for pages with style sheets and hidden parts, as publishing systems write them. */
  readonly styled: string
  /** The same for the pages of the batch: saved ones if the run has a folder of them. */
  readonly saved: string
}

interface Row {
  readonly name: string
  run(site: Site, project: Omit<Program, 'args'>): Promise<Figures>
}

const command = 'node_modules/@harvestman/cli/dist/main.js'
const allowPrivate = ['--allow-private', '127.0.0.0/8']
const batchPages = 300
const pollInterval = 500
const batchTimeout = 240_000
const healthPages = 100_000
const healthRequests = 100
const healthInterval = 100

const onePage = (name: string, args: (site: Site) => readonly string[]): Row => ({
  name,
  run: async (site, project) => {
    const { cpu, peak } = await measure({ ...project, args: args(site) })
    return { 'CPU ms': cpu, 'peak MB': peak }
  },
})

const crawl = (
  contender: string,
  pages: number,
  kind: 'generated' | 'styled' = 'generated',
  ...options: readonly string[]
): Row => ({
  name: [`${pages.toLocaleString('en')} ${kind === 'styled' ? 'styled ' : ''}pages: ${contender}`, ...options].join(
    ', ',
  ),
  run: async (site, project) => {
    const args = ['bench-programs/crawl.js', contender, site[kind], String(pages), ...options]
    const { cpu, main, peak } = await measure({ ...project, args })
    return { 'CPU ms a page': cpu / pages, 'main thread': main / pages, 'peak MB': peak }
  },
})

const serve = (project: Omit<Program, 'args'>) =>
  startServer({ ...project, args: [command, 'serve', '--port', '0', '--store', 'memory:', ...allowPrivate] })

const firstScrape: Row = {
  name: 'first scrape of a fresh server',
  run: async ({ generated }, project) => {
    const server = await serve(project)
    const before = await server.usage()
    const began = performance.now()
    await server.post('/v2/scrape', { url: generated })
    const wall = performance.now() - began
    const { cpu, peak } = await server.usage()
    await server.close()
    return { 'CPU ms': cpu - before.cpu, 'wall ms': wall, 'peak MB': peak }
  },
}

const batch: Row = {
  name: `a batch of ${batchPages} pages by a server`,
  run: async ({ saved }, project) => {
    const server = await serve(project)
    const before = await server.usage()
    const urls = Array.from({ length: batchPages }, (_, index) => `${saved}${index}`)
    const { id } = (await server.post('/v2/batch/scrape', { urls })) as { readonly id: string }
    const deadline = performance.now() + batchTimeout
    for (;;) {
      const { status } = (await server.get(`/v2/batch/scrape/${id}?limit=1`)) as { readonly status: string }
      if (status === 'completed') break
      if (performance.now() > deadline) throw new Error(`The batch is ${status} after ${batchTimeout / 1_000} s.`)
      await setTimeout(pollInterval)
    }
    const { cpu, main, peak } = await server.usage()
    await server.close()
    return {
      'CPU ms a page': (cpu - before.cpu) / batchPages,
      'main thread': (main - before.main) / batchPages,
      'peak MB': peak,
    }
  },
}

const health: Row = {
  name: `/health during a batch of ${healthPages.toLocaleString('en')} pages`,
  run: async ({ generated }, project) => {
    const server = await serve(project)
    const urls = Array.from({ length: healthPages }, (_, index) => `${generated}articles/${index % 2_000}-x?n=${index}`)
    await server.post('/v2/batch/scrape', { urls })
    const times: number[] = []
    for (let request = 0; request < healthRequests; request += 1) {
      const began = performance.now()
      await server.get('/health')
      times.push(performance.now() - began)
      await setTimeout(healthInterval)
    }
    // The batch would take minutes.
    await server.kill()
    const sorted = times.toSorted((one, other) => one - other)
    return {
      'wall ms': sorted[sorted.length >> 1] ?? Number.NaN,
      'p90 ms': sorted[Math.floor(sorted.length * 0.9)] ?? Number.NaN,
      'max ms': sorted.at(-1) ?? Number.NaN,
    }
  },
}

const contenders = ['naive stack', 'undici + mdream (Rust)', 'ours, main content, SQLite', 'ours, whole page, SQLite']

export const rows: readonly Row[] = [
  onePage('one page: naive script', ({ generated }) => ['bench-programs/naive-page.js', generated]),
  onePage('one page: library', ({ generated }) => ['bench-programs/one-page.js', generated]),
  onePage('one page: harvestman scrape', ({ generated }) => [command, 'scrape', generated, ...allowPrivate]),
  firstScrape,
  ...[200, 2_000].flatMap((pages) => contenders.map((contender) => crawl(contender, pages))),
  ...contenders.map((contender) => crawl(contender, 2_000, 'styled')),
  crawl('ours, main content, SQLite', 2_000, 'generated', 'limitHeap'),
  batch,
  health,
]
