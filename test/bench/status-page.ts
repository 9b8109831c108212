// What does a status page of 10 MB cost the loop of the server? CPU time of its main thread, a request, side by side:
//   bare    node:http that has the whole answer ready, as one buffer: what the socket alone costs
//   layer   our HTTP layer alone, before a job that has its pieces ready
//   memory  ours, with the job in memory      sqlite  ours, with the job in a file
//   redis  postgres                           ours, with the job on such a server
//   naive   node:http that keeps each document as a JSON text, and parses and prints them for each answer
// Run: node test/bench/status-page.ts [rounds] [requests a round]
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { createApi, serve } from '@harvestman/http'
import type { Store } from '@harvestman/ports'
import { sqliteStore } from '@harvestman/keyv'
import { postgresStore } from '@harvestman/postgres'
import { redisStore } from '@harvestman/redis'

import { startPostgres } from '../../packages/postgres/test/server.ts'
import { startRedis } from '../../packages/redis/test/server.ts'
import { given, median, startOr, tellRatios } from './ratios.ts'

const documents = 100
const pageBytes = 105_000
const allNames = ['bare', 'layer', 'memory', 'sqlite', 'redis', 'postgres', 'naive'] as const

type Name = (typeof allNames)[number]

const ratioOf = (name: Name): string => `${name}, over bare`

/** The address of a status page in the server that runs as this process. */
async function startServer(name: Name, site: string, address: string): Promise<string> {
  const open: Partial<Record<Name, () => Store>> = {
    sqlite: () => sqliteStore(address),
    redis: () => redisStore(address),
    postgres: () => postgresStore(address),
  }
  const store = open[name]?.()
  const engine = createEngine({ store, allowPrivate: ['127.0.0.0/8'] })
  const job = await engine.batch({
    urls: Array.from({ length: documents }, (_, index) => `${site}/${index}`),
    formats: ['rawHtml'],
  })
  const { completed } = await job.end()
  if (completed !== documents) throw new Error(`Only ${completed} pages were loaded.`)
  if (name === 'memory' || store) {
    const server = await serve(createApi(engine), { port: 0 })
    return `${server.url}/v2/batch/scrape/${job.id}`
  }
  const page = await job.page({ skip: 0, limit: documents, maxBytes: Infinity })
  if (name === 'layer') {
    const ready = {
      ...engine,
      jobs: { ...engine.jobs, find: async () => ({ ...job, page: async () => ({ ...page, free: () => undefined }) }) },
    }
    return `${(await serve(createApi(ready), { port: 0 })).url}/v2/batch/scrape/${job.id}`
  }
  const { documents: pieces } = page
  const data = JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as readonly object[]
  return listen(name === 'bare' ? bare(data) : naive(data))
}

function bare(data: readonly object[]): RequestListener {
  const body = Buffer.from(JSON.stringify({ success: true, status: 'completed', total: documents, data }))
  return (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength }).end(body)
  }
}

function naive(data: readonly object[]): RequestListener {
  const kept = data.map((document) => JSON.stringify(document))
  return (_, outgoing) => {
    const all = kept.map((text) => JSON.parse(text) as object)
    const body = JSON.stringify({ success: true, status: 'completed', total: documents, data: all })
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Contender {
  readonly child: ChildProcess
  readonly url: string
}

async function start(name: Name, site: string, address: string): Promise<Contender> {
  const child = fork(fileURLToPath(import.meta.url), ['--serve', name, site, address])
  const [url] = (await once(child, 'message')) as [string]
  return { child, url }
}

async function read({ url }: Contender): Promise<number> {
  const response = await fetch(url)
  return (await response.arrayBuffer()).byteLength
}

async function cpuOf({ child }: Contender): Promise<number> {
  child.send('cpu')
  const [micros] = (await once(child, 'message')) as [number]
  return micros
}

async function measure(rounds: number, requests: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'status-page-'))
  const words = 'A line of "plain" text that stands for any other line on a page.\n'
  const page = `<title>Page</title><main><pre>${words.repeat(pageBytes / (words.length + 3))}</pre></main>`
  const site = await listen((_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page))
  const contenders = {} as Record<Name, Contender>
  const servers = { redis: await startOr(startRedis), postgres: await startOr(startPostgres) }
  const missing: Record<string, string> = {}
  for (const [name, server] of Object.entries(servers)) {
    if (typeof server === 'string') missing[ratioOf(name as Name)] = server
  }
  const names = allNames.filter((name) => !(ratioOf(name) in missing))
  const addresses: Partial<Record<Name, string>> = {
    sqlite: join(folder, 'jobs.sqlite'),
    redis: typeof servers.redis === 'string' ? '' : servers.redis.url,
    postgres: typeof servers.postgres === 'string' ? '' : servers.postgres.url,
  }
  for (const name of names) contenders[name] = await start(name, site, addresses[name] ?? '')
  const spent = {} as Record<Name, number[]>
  for (const name of names) spent[name] = []
  let bytes = 0
  for (const name of names) for (let sent = 0; sent < requests; sent++) bytes = await read(contenders[name])
  for (let round = 0; round < rounds; round++) {
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      const before = await cpuOf(contenders[name])
      for (let sent = 0; sent < requests; sent++) await read(contenders[name])
      spent[name].push(((await cpuOf(contenders[name])) - before) / requests / 1_000)
    }
  }
  console.log(
    `Pages of ${(bytes / 1e6).toFixed(1)} MB, CPU ms of the main thread a request, median of ${rounds} rounds`,
  )
  for (const name of names) {
    const ratio = median(spent[name]) / median(spent.bare)
    const all = spent[name].map((milliseconds) => milliseconds.toFixed(1)).join(' ')
    console.log(`  ${name.padEnd(8)} ${median(spent[name]).toFixed(1).padStart(6)}  x ${ratio.toFixed(2)}  (${all})`)
  }
  for (const { child } of Object.values(contenders)) child.kill()
  rmSync(folder, { recursive: true })
  for (const server of Object.values(servers)) if (typeof server !== 'string') await server.remove()
  const kept = names.filter((name) => name !== 'bare' && name !== 'naive')
  tellRatios(Object.fromEntries(kept.map((name) => [ratioOf(name), median(spent[name]) / median(spent.bare)])), missing)
  process.exit(0)
}

const [mode, name, site, address] = process.argv.slice(2)
if (mode === '--serve') {
  process.send?.(await startServer(name as Name, site ?? '', address ?? ''))
  process.on('message', () => {
    const { user, system } = process.threadCpuUsage()
    process.send?.(user + system)
  })
} else {
  const [rounds = 7, requests = 20] = given.map(Number)
  await measure(rounds, requests)
}
