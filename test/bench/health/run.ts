// Prints how long /health takes while a server runs a batch of many pages, and the longest steps of its main thread meanwhile:
// node test/bench/health/run.ts [pages] [requests] [--profile]
// A step is one turn of the event loop. Its CPU time is the work of the server; the time without a core is due to other
// processes and threads on the host: the site of the pages and the program that sends the requests are among them.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import type { Steps } from '../files/steps.ts'

const { values, positionals } = parseArgs({ options: { profile: { type: 'boolean' } }, allowPositionals: true })
const [pages = 100_000, requests = 100] = positionals.map(Number)
const interval = 100
const different = 2_000

const profile = values.profile ? ['--profile'] : []
const children: ChildProcess[] = []
try {
  await measure()
} finally {
  for (const child of children) child.kill('SIGKILL')
}
process.exit()

async function measure(): Promise<void> {
  const site = started(fork(new URL('../crawl/site.ts', import.meta.url), [String(different), '0']))
  const [{ port }] = (await once(site, 'message')) as [{ port: number }]
  const execArgv = ['--max-semi-space-size=8']
  const server = started(fork(new URL('../first-requests/server.ts', import.meta.url), profile, { execArgv }))
  const [{ url }] = (await once(server, 'message')) as [{ url: string }]
  // It warms up.
  await sleep(6_000)
  await stepsOf(server)
  const [startTime, times] = await Promise.all([startBatch(url, port), healthTimes(url)])
  print(times, startTime, await stepsOf(server))
}

function started(child: ChildProcess): ChildProcess {
  children.push(child)
  return child
}

/** Starts the batch, and returns how long that takes in milliseconds. */
async function startBatch(url: string, port: number): Promise<number> {
  const urls = Array.from({ length: pages }, (_, n) => `http://127.0.0.1:${port}/articles/${n % different}-x?n=${n}`)
  const body = JSON.stringify({ urls })
  const headers = { 'content-type': 'application/json' }
  const began = performance.now()
  const response = await fetch(`${url}/v2/batch/scrape`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The batch was refused with ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
  return performance.now() - began
}

/** Returns the milliseconds of each request of /health. */
async function healthTimes(url: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let request = 0; request < requests; request += 1) {
    const sent = performance.now()
    await (await fetch(`${url}/health`, { signal: AbortSignal.timeout(60_000) })).arrayBuffer()
    times.push(performance.now() - sent)
    await sleep(interval)
  }
  return times
}

function print(times: readonly number[], startTime: number, steps: Steps): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0)
  console.table({
    'start of the batch, ms': Math.round(startTime),
    '/health, median, ms': at(0.5),
    '/health, 90 %, ms': at(0.9),
    '/health, longest, ms': at(1),
    'longest step of the main thread, ms of CPU': steps.cpu,
    '99.9 % of its steps, ms of CPU': steps.cpu999,
    'longest step, ms on the clock': steps.wall,
    'longest time without a core, ms': steps.waited,
  })
  for (const step of steps.longest) console.log(step)
}

async function stepsOf(child: ChildProcess): Promise<Steps> {
  child.send('report')
  return ((await once(child, 'message')) as [Steps])[0]
}
