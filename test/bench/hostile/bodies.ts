// What monster bodies cost a server and its other callers: node test/bench/hostile/bodies.ts [count]
// The server runs in a process of its own. While each body is sent and answered, `/health` is asked all the time.
import { fork } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { routes } from '@harvestman/http'

import { monsters } from './monsters.ts'

const count = Number(process.argv[2] ?? 200)
const child = fork(fileURLToPath(new URL('./bodies-server.ts', import.meta.url)), { execArgv: ['--expose-gc'] })

interface Report {
  readonly url?: string
  readonly megabytes?: number
  readonly stall?: number
}

function told(): Promise<Report> {
  return new Promise((resolve) => child.once('message', (report) => resolve(report as Report)))
}

function ask(question: string): Promise<Report> {
  const answer = told()
  child.send(question)
  return answer
}

const { url = '' } = await told()
const paths = routes.filter(({ input }) => input).map(({ path }) => path.replaceAll(/\{\w+\}/g, crypto.randomUUID()))

async function slowestHealth(work: Promise<unknown>): Promise<number> {
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  work.then(end, end)
  let slowest = 0
  do {
    const start = performance.now()
    await (await fetch(`${url}/health/live`)).arrayBuffer()
    slowest = Math.max(slowest, performance.now() - start)
  } while (!state.isOver)
  return slowest
}

async function send(path: string, body: string) {
  const start = performance.now()
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, bytes: text.length, ms: performance.now() - start }
}

await slowestHealth(new Promise((resolve) => setTimeout(resolve, 500)))
const calm = await slowestHealth(new Promise((resolve) => setTimeout(resolve, 500)))
const before = await ask('collect')

interface Row {
  readonly kind: string
  readonly sent: number
  readonly status: number
  readonly answered: number
  readonly health: number
  readonly stall: number
  readonly ms: number
}

const rows: Row[] = []
for (const [index, { kind, body }] of monsters(count).entries()) {
  await ask('reset')
  const work = send(paths[index % paths.length] ?? '', body)
  const health = await slowestHealth(work)
  const { status, bytes, ms } = await work
  const { stall = 0 } = await ask('stall')
  rows.push({ kind, sent: body.length, status, answered: bytes, health, stall, ms })
}
const peak = await ask('memory')
const after = await ask('collect')

const most = (kind: readonly Row[], field: 'health' | 'stall' | 'sent' | 'answered' | 'ms') =>
  Math.round(Math.max(...kind.map((row) => row[field])))
console.table(
  Object.fromEntries(
    [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, all]) => [
      kind,
      {
        bodies: all.length,
        'largest MB': (most(all, 'sent') / 1e6).toFixed(1),
        statuses: [...new Set(all.map(({ status }) => status))].toSorted((one, other) => one - other).join(' '),
        'largest answer': most(all, 'answered'),
        'answered in ms': most(all, 'ms'),
        'longest stall ms': most(all, 'stall'),
        'slowest health ms': most(all, 'health'),
      },
    ]),
  ),
)
console.log(
  `${rows.length} bodies over ${paths.length} routes; slowest /health ${most(rows, 'health')} ms, calm ${Math.round(calm)} ms`,
)
console.log(`MB of the process: ${before.megabytes} before, ${peak.megabytes} at the end, ${after.megabytes} collected`)
child.kill()
