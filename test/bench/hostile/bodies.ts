// What monster bodies cost a server and its other callers: node test/bench/hostile/bodies.ts [count] [at once]
// The server runs in a process of its own. While bodies are sent and answered, `/health` is asked all the time. The longest
// stall is what the loop was late; busy is the processor time of its thread in one turn, which a loaded machine leaves as it is.
import { fork } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { answers } from '@harvestman/answers'
import { routesOf } from '@harvestman/http'

import { monsters } from './monsters.ts'

const routes = routesOf(answers.jobs)

const count = Number(process.argv[2] ?? 200)
const atOnce = Number(process.argv[3] ?? 1)
const child = fork(fileURLToPath(new URL('./bodies-server.ts', import.meta.url)), { execArgv: ['--expose-gc'] })

interface Report {
  readonly url: string
  readonly megabytes: number
  readonly delay: number
  readonly busy: number
}

function told(): Promise<Report> {
  return new Promise((resolve) => child.once('message', (report) => resolve(report as Report)))
}

function ask(question: 'collect' | 'reset' | 'tell'): Promise<Report> {
  const answer = told()
  child.send(question)
  return answer
}

const { url } = await told()
const targets = routes
  .filter(({ input }) => input)
  .map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, crypto.randomUUID()) }))

/** How long each `/health` took while the work was done. */
async function healthDuring(work: Promise<unknown>): Promise<readonly number[]> {
  const state = { isOver: false }
  const end = (): void => void (state.isOver = true)
  work.then(end, end)
  const times: number[] = []
  do {
    const start = performance.now()
    await (await fetch(`${url}/health/live`)).arrayBuffer()
    times.push(performance.now() - start)
  } while (!state.isOver)
  return times
}

const headers = { 'content-type': 'application/json', authorization: 'Bearer admin' }

async function send({ method, path }: (typeof targets)[number], body: string) {
  const start = performance.now()
  const response = await fetch(url + path, { method, headers, body })
  const text = await response.text()
  return { status: response.status, bytes: text.length, ms: performance.now() - start }
}

/** Scattered, so that no kind meets the same few routes alone. */
function targetOf(index: number): (typeof targets)[number] {
  return targets[(Math.imul(index + 1, 2_654_435_761) >>> 12) % targets.length]!
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
await healthDuring(pause(1_000))
const calm = await healthDuring(pause(1_000))
const before = await ask('collect')

interface Row {
  readonly kind: string
  readonly sent: number
  readonly status: number
  readonly answered: number
  readonly ms: number
  readonly health: number
  readonly stall: number
  readonly busy: number
}

const rows: Row[] = []
const all: number[] = []
let peak = before.megabytes
const bodies = monsters(count)
for (let start = 0; start < count; start += atOnce) {
  const some = Array.from({ length: atOnce }, () => bodies.next().value).filter((body) => body !== undefined)
  await ask('reset')
  const work = Promise.all(some.map(({ body }, index) => send(targetOf(start + index), body)))
  const times = await healthDuring(work)
  const answers = await work
  const { delay, busy, megabytes } = await ask('tell')
  all.push(...times)
  peak = Math.max(peak, megabytes)
  for (const [index, { status, bytes, ms }] of answers.entries()) {
    const { kind, body } = some[index]!
    rows.push({ kind, sent: body.length, status, answered: bytes, ms, health: Math.max(...times), stall: delay, busy })
  }
}
await pause(500)
const after = await ask('collect')

const most = (some: readonly Row[], field: Exclude<keyof Row, 'kind' | 'status'>) =>
  Math.round(Math.max(...some.map((row) => row[field])))
console.table(
  Object.fromEntries(
    [...Map.groupBy(rows, ({ kind }) => kind.replace(/, .*/, ''))].map(([kind, same]) => [
      kind,
      {
        bodies: same.length,
        'largest MB': (most(same, 'sent') / 1e6).toFixed(1),
        statuses: [...new Set(same.map(({ status }) => status))].toSorted((one, other) => one - other).join(' '),
        'largest answer': most(same, 'answered'),
        'answered in ms': most(same, 'ms'),
        'longest stall ms': most(same, 'stall'),
        'longest busy ms': most(same, 'busy'),
        'slowest health ms': most(same, 'health'),
      },
    ]),
  ),
)

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms`
}

const worst = rows.toSorted((one, other) => other.busy - one.busy)[0]
console.log(`${rows.length} bodies over ${targets.length} routes, ${atOnce} at once`)
console.log(`/health of ${all.length}: ${spread(all)}; calm: ${spread(calm)}`)
console.log(`loop late, worst of each body: ${spread(rows.map(({ stall }) => stall))}`)
console.log(`loop busy, worst of each body: ${spread(rows.map(({ busy }) => busy))}, with ${worst?.kind}`)
console.log(`MB of the process: ${before.megabytes} before, ${peak} at most, ${after.megabytes} collected`)
child.kill()
