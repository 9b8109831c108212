// Kills the process of a crawl at random moments, again and again, until the crawl has ended and its webhook was told so;
// then counts its pages, and what the receiver of the webhook was told.
// node test/bench/reliability/kill.ts [kills]
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

import { startReceiver, type Told } from './receiver.ts'

const pages = 100
const child = fileURLToPath(new URL('kill-child.ts', import.meta.url))

export interface Tally {
  readonly kills: number
  readonly crawls: number
  readonly missing: number
  readonly doubled: number
  readonly wrongCounts: number
  readonly visits: number
  /** Events that the receiver was never told of. */
  readonly eventsLost: number
  readonly eventsRepeated: number
  /** Jobs whose first event was not told first, or whose last not last and once. */
  readonly wrongOrders: number
}

/** Crawls a site of a hundred pages until so many kills were dealt out. */
export async function killAndCount(kills: number): Promise<Tally> {
  const site = await startSite()
  const receiver = await startReceiver()
  const tally = {
    ...{ kills: 0, crawls: 0, missing: 0, doubled: 0, wrongCounts: 0, visits: 0 },
    ...{ eventsLost: 0, eventsRepeated: 0, wrongOrders: 0 },
  }
  try {
    while (tally.kills < kills) {
      const file = join(mkdtempSync(join(tmpdir(), 'harvestman-kill-')), 'store.sqlite')
      let id: string | undefined
      for (;;) {
        const life = await live([file, site.url, receiver.url, ...(id ? [id] : [])], tally.kills < kills)
        id ??= life.id
        if (!life.wasKilled) break
        tally.kills += 1
      }
      if (id) add(tally, { ...(await look(file, id)), ...judge(receiver.told(id)) })
      tally.crawls += 1
      rmSync(join(file, '..'), { recursive: true, force: true })
    }
    return { ...tally, visits: site.visits() }
  } finally {
    await site.close()
    await receiver.close()
  }
}

interface Life {
  readonly id: string | undefined
  readonly wasKilled: boolean
}

/** Runs an engine; when it is to be killed, then at a random moment after it has begun to work, or now and then before. */
function live(args: readonly string[], mayDie: boolean): Promise<Life> {
  return new Promise((resolve) => {
    const started = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    let timer: NodeJS.Timeout | undefined
    const killWithin = (ms: number): void => {
      timer ??= setTimeout(() => started.kill('SIGKILL'), Math.random() * ms)
    }
    if (mayDie && Math.random() < 0.1) killWithin(1_000)
    started.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (mayDie) killWithin(400)
    })
    started.on('exit', (_, signal) => {
      clearTimeout(timer)
      resolve({ id: /^[\da-f-]{36}$/m.exec(text)?.[0], wasKilled: signal === 'SIGKILL' })
    })
  })
}

type Judgement = Pick<Tally, 'eventsLost' | 'eventsRepeated' | 'wrongOrders'>
type Outcome = Pick<Tally, 'missing' | 'doubled' | 'wrongCounts'>

function judge({ messages, repeats }: Told): Judgement {
  const all = [...messages.values()]
  const told = new Set(all.flatMap(({ type, url }) => (type === 'crawl.page' && url ? [url] : [])))
  const ends = all.filter(({ type }) => type === 'crawl.completed').length
  const isInOrder = all[0]?.type === 'crawl.started' && all.at(-1)?.type === 'crawl.completed' && ends === 1
  const lost = pages - told.size + (all[0]?.type === 'crawl.started' ? 0 : 1) + (ends > 0 ? 0 : 1)
  return { eventsLost: lost, eventsRepeated: repeats, wrongOrders: isInOrder ? 0 : 1 }
}

async function look(file: string, id: string): Promise<Outcome> {
  const store = sqliteStore(file)
  const engine = createEngine({ store })
  const job = await engine.jobs.find(id)
  const { status, total, completed, failed, cancelled, creditsUsed } = await job.status()
  const seen = new Map<string, number>()
  for await (const { metadata } of job.documents()) seen.set(metadata.url, (seen.get(metadata.url) ?? 0) + 1)
  await engine.close()
  await store.close()
  const isRight =
    status === 'completed' &&
    total === pages &&
    completed === pages &&
    failed + cancelled === 0 &&
    creditsUsed === pages
  return {
    missing: pages - seen.size,
    doubled: [...seen.values()].filter((count) => count > 1).length,
    wrongCounts: isRight ? 0 : 1,
  }
}

function add(tally: { -readonly [Name in keyof Tally]: number }, outcome: Outcome & Judgement): void {
  for (const [name, count] of Object.entries(outcome)) tally[name as keyof Tally] += count
}

/** Each page links to two others, and takes a moment. */
async function startSite() {
  let visits = 0
  const server = createServer((request, response) => {
    const number = Number(/^\/page\/(\d+)$/.exec(request.url ?? '')?.[1] ?? (request.url === '/' ? 0 : Number.NaN))
    if (Number.isNaN(number)) return void response.writeHead(404).end()
    visits += 1
    const links = [2 * number + 1, 2 * number + 2].filter((next) => next < pages)
    const words = Array.from({ length: 60 }, (_, at) => letters(number * 977 + at * 131)).join(' ')
    const body = `<title>${number}</title><main><h1>Page ${number}</h1><p>${words}</p>${links.map((next) => `<a href="/page/${next}">${next}</a>`).join(' ')}</main>`
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(body), 10)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    visits: () => visits,
    close: () => new Promise<void>((done) => server.close(() => done()).closeAllConnections()),
  }
}

function letters(seed: number): string {
  return (Math.imul(seed, 2_654_435_761) >>> 0)
    .toString(26)
    .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')
}

if (import.meta.main) {
  const tally = await killAndCount(Number(process.argv[2] ?? 200))
  const columns = {
    kills: tally.kills,
    'crawls of 100 pages': tally.crawls,
    'pages missing': tally.missing,
    'pages doubled': tally.doubled,
    'crawls with wrong counts': tally.wrongCounts,
    'pages fetched': tally.visits,
    'events lost': tally.eventsLost,
    'events repeated': tally.eventsRepeated,
    'crawls told out of order': tally.wrongOrders,
  }
  console.log(`| ${Object.keys(columns).join(' | ')} |`)
  console.log(
    `| ${Object.keys(columns)
      .map(() => '---')
      .join(' | ')} |`,
  )
  console.log(`| ${Object.values(columns).join(' | ')} |`)
}
