// What does the API cost? A cached POST /v2/scrape against bare node:http that answers the same document, and how much of
// it is the HTTP layer: the same API before an engine that has the document ready. "many" is ours, asked for many addresses
// in turn, as callers do.
// CPU time of the server process with all its threads, a request; the load comes from this process, 32 connections.
// Run: node test/bench/http.ts [rounds] [requests a round]
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request as ask, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { createEngine, type AnyDocument } from '@harvestman/core'
import { apiKeys, createApi, serve } from '@harvestman/http'

import { given, median, type Ratios, tellRatios } from './ratios.ts'

const connections = 32
const addresses = 50
// Before it is measured: V8 compiles until ten to fifteen thousand requests were answered, which is not what one of them costs.
const warmUp = 20_000
const key = 'bench-key'

/** Says what a server process is, and the answer that it gives when it does no work for it. */
interface Role {
  readonly kind: 'bare' | 'layer' | 'ours'
  readonly answer?: { readonly data: AnyDocument }
}

async function listen(listener: RequestListener): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

/** The least that a server of JSON can do: read the body, parse it, print the answer. */
function bare(answer: unknown): RequestListener {
  return (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString())
      const body = JSON.stringify(answer)
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      outgoing.end(body)
    })
  }
}

async function startRole({ kind, answer }: Role): Promise<number> {
  if (kind === 'bare') return (await listen(bare(answer))).port
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
  const scrape = async (): Promise<AnyDocument> => answer!.data
  const behind = kind === 'ours' ? engine : { ...engine, unchecked: { ...engine.unchecked, scrape } }
  return (await serve(createApi(behind, { authenticate: apiKeys(`team:${key}`) }), { port: 0 })).port
}

interface Contender {
  readonly child: ChildProcess
  readonly port: number
  readonly agent: Agent
}

async function start(role: Role): Promise<Contender> {
  const child = fork(fileURLToPath(import.meta.url), ['--serve'])
  child.send(role)
  const [port] = (await once(child, 'message')) as [number]
  return { child, port, agent: new Agent({ keepAlive: true, maxSockets: connections }) }
}

function post({ port, agent }: Contender, body: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${key}`,
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const sent = ask({ host: '127.0.0.1', port, agent, method: 'POST', path: '/v2/scrape', headers })
  sent.on('error', reject).on('response', (answer: IncomingMessage) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      if (answer.statusCode === 200) resolve(String(Buffer.concat(chunks)))
      else reject(new Error(`${answer.statusCode}: ${String(Buffer.concat(chunks))}`))
    })
  })
  sent.end(body)
  return promise
}

async function load(contender: Contender, bodies: readonly string[], requests: number): Promise<void> {
  let sent = 0
  const worker = async (): Promise<void> => {
    while (sent++ < requests) await post(contender, bodies[sent % bodies.length] ?? '')
  }
  // A client that sleeps between answers has to be woken by the server, which on virtual machines costs the server more
  // than all else. So it never sleeps.
  let isOver = false
  const stayAwake = (): void => {
    if (!isOver) setImmediate(stayAwake)
  }
  stayAwake()
  await Promise.all(Array.from({ length: connections }, worker))
  isOver = true
}

async function cpuOf({ child }: Contender): Promise<number> {
  child.send('cpu')
  const [micros] = (await once(child, 'message')) as [number]
  return micros
}

/** Paragraphs that all differ, so that none is taken for a part of the site that stands on every page. */
function pageOf(size: number): string {
  const paragraphs: string[] = []
  for (let length = 0; length < size; length += paragraphs.at(-1)?.length ?? size) {
    const number = paragraphs.length
    paragraphs.push(
      `<p>Line ${number} of the text, which says that ${number * 7} is seven times as much as ${number}.</p>`,
    )
  }
  return `<title>Page</title><main><h1>Page</h1>${paragraphs.join('')}</main>`
}

async function measure(size: number, rounds: number, requests: number): Promise<Ratios> {
  const page = pageOf(size)
  const site = await listen((_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page))
  const options = { formats: ['markdown'], maxAge: 3_600_000, timeout: 30_000, origin: 'bench' }
  const bodyOf = (path: string): string => JSON.stringify({ url: `http://127.0.0.1:${site.port}/${path}`, ...options })
  const body = bodyOf('page')
  const bodies = Array.from({ length: addresses }, (_, number) => bodyOf(`page/${number}`))
  const ours = await start({ kind: 'ours' })
  await post(ours, body)
  const text = await post(ours, body)
  if (!text.includes('"cacheState":"hit"')) throw new Error('The cache was not used.')
  if (text.length < size / 2) throw new Error(`The answer has ${text.length} bytes of ${size}.`)
  const answer = JSON.parse(text) as { data: AnyDocument }
  const contenders = {
    bare: { ...(await start({ kind: 'bare', answer })), bodies: [body] },
    layer: { ...(await start({ kind: 'layer', answer })), bodies: [body] },
    ours: { ...ours, bodies: [body] },
    many: { ...(await start({ kind: 'ours' })), bodies },
  }
  const names = Object.keys(contenders) as (keyof typeof contenders)[]
  const spent: Record<keyof typeof contenders, number[]> = { bare: [], layer: [], ours: [], many: [] }
  const loadOf = (name: keyof typeof contenders, count: number): Promise<void> =>
    load(contenders[name], contenders[name].bodies, count)
  for (const name of names) await loadOf(name, warmUp)
  for (let round = 0; round < rounds; round++) {
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      const before = await cpuOf(contenders[name])
      await loadOf(name, requests)
      spent[name].push(((await cpuOf(contenders[name])) - before) / requests)
    }
  }
  console.log(`\n${(text.length / 1_000).toFixed(1)} KB answers, CPU µs a request, median of ${rounds} rounds`)
  const found: Record<string, number> = {}
  for (const name of names) {
    const ratios = spent[name].map((micros, round) => micros / (spent.bare[round] ?? Number.NaN))
    if (name !== 'bare') found[`${name}, answers of ${size / 1_000} KB, over bare`] = median(ratios)
    const rounded = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
    console.log(
      `  ${name.padEnd(6)} ${median(spent[name]).toFixed(0).padStart(4)}  x ${median(ratios).toFixed(2)}  (${rounded})`,
    )
  }
  for (const { child, agent } of Object.values(contenders)) {
    agent.destroy()
    child.kill()
  }
  site.close()
  return found
}

if (process.argv[2] === '--serve') {
  const [role] = (await once(process, 'message')) as [Role]
  process.send?.(await startRole(role))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
} else {
  const [rounds = 7, requests = 3_000] = given.map(Number)
  const small = await measure(2_000, rounds, requests)
  const large = await measure(60_000, rounds, Math.ceil(requests / 3))
  tellRatios({ ...small, ...large })
}
