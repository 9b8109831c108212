// Prints the longest step of a server's main thread for each operation on large jobs:
// node test/bench/health/large-jobs.ts [URLs] [--length <characters>] [--store sqlite:<new file>] [--only <part>] [--profile]
// `--length` makes the URLs longer. The parts are batch, errors, crawl and restart.
// A step is one turn of the event loop, measured as CPU time of the thread. The pages are tiny and served by this process. With a
// persistent store the server is also closed in the middle of a batch, and another one in its process continues the batch. With
// `--profile` it names the functions in the longest steps.
import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID as uuid } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { serverMemory } from '../../../packages/cli/src/server-memory.ts'
import type { Steps } from '../files/steps.ts'

const { values, positionals } = parseArgs({
  options: {
    profile: { type: 'boolean' },
    store: { type: 'string', default: 'memory:' },
    only: { type: 'string' },
    length: { type: 'string', default: '0' },
  },
  allowPositionals: true,
})
const [count = 100_000] = positionals.map(Number)
/** Makes URLs longer. */
const longer = '-long'.repeat(Number(values.length) / 5)
/** Pages that are loaded before a batch is read, cancelled or continued. */
const loaded = Math.min(10_000, count / 2)
const named = 3
/** The server refuses a preview with more. */
const maxInPreview = 29_000
const maxWait = 120_000

interface Status {
  readonly status: string
  readonly completed: number
  readonly total: number
  readonly next?: string
}

const children: ChildProcess[] = []
const rows: Record<string, object> = {}
const names: string[] = []
const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(request.url === '/links' ? linksPage() : `<title>Page</title><p>The page ${request.url}.`)
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
const server = await startServer()
try {
  await warmUp()
  const parts = { batch: measureBatch, errors: measureErrors, crawl: measureCrawl, restart: measureRestart }
  for (const [name, measure] of Object.entries(parts)) if ((values.only ?? name) === name) await measure()
} finally {
  for (const child of children) child.kill('SIGKILL')
}
console.table(rows)
for (const name of names) console.log(name)
process.exit()

async function startServer(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const args = [values.store, ...(values.profile ? ['--profile'] : [])]
  const { flags, env } = serverMemory()
  const child = fork(new URL('large-jobs-server.ts', import.meta.url), args, {
    execArgv: [...flags],
    env: { ...process.env, ...env },
  })
  children.push(child)
  // Nothing else would end the wait for a message of it.
  child.once('exit', (code, signal) => {
    throw new Error(`The server has ended: ${signal ?? code}.`)
  })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return { child, url }
}

/** Starts each kind of job once, so that the measured steps are not those of code that runs for the first time. */
async function warmUp(): Promise<void> {
  await sleep(6_000)
  const { id } = await post('/v2/batch/scrape', { urls: urlsFrom(0, 3_000) })
  await post('/v2/batch/scrape', { urls: urlsFrom(3_000, 3_000), appendToId: id })
  await until(id, (status) => status.status === 'completed')
  await readAll(`${server.url}/v2/batch/scrape/${id}`)
}

async function measureBatch(): Promise<void> {
  const urls = urlsFrom(0, count)
  const request = { urls: urls.slice(0, maxInPreview) }
  await step('preview the price of a batch', () => post('/v2/team/preview', { kind: 'batch', request }))
  const { id } = await step('open a batch', () => post('/v2/batch/scrape', { urls }, { 'x-idempotency-key': uuid() }))
  await step('append to a batch', () => post('/v2/batch/scrape', { urls: urlsFrom(count, count), appendToId: id }))
  await step('load its pages', () => until(id, ({ completed }) => completed >= loaded))
  const url = `${server.url}/v2/batch/scrape/${id}`
  await step('read its status and documents', () => readAll(url))
  await step('read its errors', () => read(`${url}/errors`))
  await step('cancel it', () => send(url, { method: 'DELETE' }))
  await step('read its events', async () => (await fetch(`${url}/events`)).arrayBuffer())
}

/** Each page fails, because nothing listens on its port. */
async function measureErrors(): Promise<void> {
  const urls = urlsFrom(0, loaded, 'http://127.0.0.1:1')
  const { id } = await step('open a batch that fails', () => post('/v2/batch/scrape', { urls }))
  const url = `${server.url}/v2/batch/scrape/${id}`
  await until(id, ({ status }) => status !== 'scraping')
  await step('read the errors of it', () => read(`${url}/errors`))
}

async function measureCrawl(): Promise<void> {
  const request = { url: `${base}/links`, limit: count, crawlEntireDomain: true, sitemap: 'skip' }
  const { id } = await step('crawl a page with as many links', async () => {
    const job = await post('/v2/crawl', request)
    await until(job.id, ({ completed }) => completed >= 100, 'crawl')
    return job
  })
  const url = `${server.url}/v2/crawl/${id}`
  await step('cancel the crawl', () => send(url, { method: 'DELETE' }))
  await step('explain its URLs', async () => (await fetch(`${url}/explain`)).arrayBuffer())
}

async function measureRestart(): Promise<void> {
  if (values.store === 'memory:') return
  const { id } = await post('/v2/batch/scrape', { urls: urlsFrom(0, count) })
  await until(id, ({ completed }) => completed >= loaded)
  await step('continue the batch after a restart', async () => {
    server.child.send('reopen')
    await once(server.child, 'message')
    const { completed } = await status(id)
    await until(id, (now) => now.completed > completed + 1_000)
  })
}

function urlsFrom(from: number, length: number, origin = base): string[] {
  return Array.from({ length }, (_, index) => {
    return `${origin}/articles/about-something-${from + index}${longer}`
  })
}

function linksPage(): string {
  return urlsFrom(0, count)
    .map((url) => `<p><a href="${new URL(url).pathname}">More</a>`)
    .join('')
}

/** Measures the steps of the server from the start of the work to its end. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  await stepsOf(server.child)
  const began = performance.now()
  const result = await work()
  const time = Math.round(performance.now() - began)
  const { cpu, cpu999, longest } = await stepsOf(server.child)
  console.log(`${name}: ${cpu} ms`)
  rows[name] = { 'longest step, ms of CPU': cpu, '99.9 % of its steps': cpu999, 'time, ms': time }
  names.push(...longest.slice(0, named).map((text) => `${name}: ${text}`))
  return result
}

async function stepsOf(child: ChildProcess): Promise<Steps> {
  child.send('report')
  return ((await once(child, 'message')) as [Steps])[0]
}

async function send(url: string, options: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, options)
  if (!response.ok) throw new Error(`${url} responds with ${response.status}: ${await response.text()}`)
  return response.json()
}

async function read<T>(url: string): Promise<T> {
  return (await send(url)) as T
}

async function post(path: string, body: object, more: Record<string, string> = {}): Promise<{ readonly id: string }> {
  const headers = { 'content-type': 'application/json', ...more }
  return (await send(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })) as { id: string }
}

async function status(id: string, kind = 'batch/scrape'): Promise<Status> {
  return read(`${server.url}/v2/${kind}/${id}?limit=1`)
}

async function until(id: string, isReached: (status: Status) => boolean, kind?: string): Promise<void> {
  const end = performance.now() + maxWait
  while (!isReached(await status(id, kind))) {
    if (performance.now() > end) throw new Error(`The job ${id} has not got there within ${maxWait} ms.`)
    await sleep(200)
  }
}

/** Follows the pages of a status to the end of the documents that it has at first. */
async function readAll(url: string): Promise<void> {
  for (let pages = 0, next: string | undefined = url; next !== undefined && pages < 50; pages += 1) {
    next = (await read<Status>(next)).next
  }
}
