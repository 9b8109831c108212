// Prints the longest step of the main thread of a new server: while it warms up, and at the first and a later request of each kind.
// node test/bench/first-requests/run.ts [rounds] [--profile]
// A step is the CPU time of the main thread in one turn of its event loop, in which other threads and processes do not count: the
// time for which they had the core is printed for comparison. Each round has a process of its own. The rounds share a
// compile cache, as processes of the command do; the one that fills it does not count.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import type { Steps } from '../files/steps.ts'

const { values, positionals } = parseArgs({ options: { profile: { type: 'boolean' } }, allowPositionals: true })
const rounds = Number(positionals[0] ?? '5')

const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  if (request.url === '/robots.txt' || request.url?.includes('.xml')) return void response.writeHead(404).end()
  const links = Array.from({ length: 30 }, (_, n) => `<li><a href="/page-${n}">Page ${n}</a></li>`)
  const text = Array.from({ length: 40 }, (_, n) => `<h2>Part ${n}</h2><p>${'A sentence of this page. '.repeat(8)}</p>`)
  response.end(`<!doctype html><title>Page</title><ul>${links.join('')}</ul><main>${text.join('')}</main>`)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

type Body = Readonly<Record<string, unknown>>
const kinds: readonly (readonly [kind: string, path: string, body: Body])[] = [
  ['scrape', '/v2/scrape', { url: page, formats: ['markdown'] }],
  ['crawl', '/v2/crawl', { url: page, limit: 5 }],
  ['batch', '/v2/batch/scrape', { urls: [page, `${page}page-1`] }],
  ['map', '/v2/map', { url: page }],
]

async function send(url: string, path: string, body?: Body): Promise<Body> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as Body
}

/** Sends a request, and waits for the end of the job if it starts one. */
async function complete(url: string, path: string, body: Body): Promise<void> {
  const { id } = await send(url, path, body)
  if (id === undefined || path === '/v2/map') return
  while ((await send(url, `${path}/${id as string}`))['status'] === 'scraping') await sleep(50)
}

type Report = Steps & { readonly total: number }

async function stepsOf(server: ChildProcess): Promise<Report> {
  server.send('report')
  return ((await once(server, 'message')) as [Report])[0]
}

const cache = mkdtempSync(join(tmpdir(), 'harvestman-first-requests-'))
let measured: Record<string, number[]> = {}
const note = (row: string, value: number): void => void (measured[row] ??= []).push(value)

for (let round = 0; round <= rounds; round += 1) {
  if (round === 1) measured = {}
  const server = fork(new URL('server.ts', import.meta.url), values.profile ? ['--profile'] : [], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('The server exited.')))
  ended.catch(() => undefined)
  const [{ url, cpu }] = (await Promise.race([once(server, 'message'), ended])) as [{ url: string; cpu: number }]
  note('CPU time until it listens', cpu)
  await sleep(4_000)
  const warm = await stepsOf(server)
  note('warm-up, longest step', warm.cpu)
  note('CPU time until it is warm', warm.total)
  note('longest time without a core', warm.waited)
  if (values.profile) console.log('warm-up\n' + warm.longest.slice(0, 6).join('\n'))
  for (const order of ['first', 'second'])
    for (const [kind, path, body] of kinds) {
      await complete(url, path, body)
      const steps = await stepsOf(server)
      note(`${order} ${kind}, longest step`, steps.cpu)
      note('longest time without a core', steps.waited)
      if (values.profile && order === 'first') console.log(`${kind}\n${steps.longest.slice(0, 4).join('\n')}`)
    }
  server.disconnect()
  await once(server, 'exit')
}
site.close()
rmSync(cache, { recursive: true, force: true })
const rows = Object.entries(measured).map(([row, all]) => {
  const sorted = all.toSorted((a, b) => a - b)
  return [row, { median: sorted[Math.floor(sorted.length / 2)], max: sorted.at(-1), 'ms of CPU': all.join(' ') }]
})
console.table(Object.fromEntries(rows))
