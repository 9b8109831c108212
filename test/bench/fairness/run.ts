// What one team's overload costs another: node test/bench/fairness/run.ts [requests: 40] [overload: 10]
// Prints the latency of one team's requests alone, and beside a team that has ten times as many under way of pages that are five
// times as large. The server, the measured team and the loud one are processes of their own: what callers do is not the server's.
// The loud team may have two pages under way and four that wait; more are refused, as an operator would have it.
// On a machine with few cores what the callers themselves take is part of the figures: compare them with those of a quiet one.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [requests = 40, overload = 10] = process.argv.slice(2).map(Number)
const atOnce = 2

interface Served {
  readonly url: string
  readonly keys: { readonly measured: string; readonly loud: string }
}

interface Measured {
  readonly times: readonly number[]
  readonly refusals: readonly number[]
}

const file = (name: string): string => new URL(name, import.meta.url).pathname
const answer = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T
const caller = (url: string, key: string, work: string, host: string, lines: number, count: number): ChildProcess =>
  fork(file('load.ts'), [url, key, work, host, `${lines}`, `${count}`])

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? NaN
}

const folder = mkdtempSync(join(tmpdir(), 'fairness-'))
const rows = []
for (const [name, work, hasFile] of [
  ['scrape', 'scrape', false],
  ['scrape, kept in SQLite', 'scrape', true],
  ['batch of 4', 'batch', false],
] as const) {
  const server = fork(file('server.ts'), hasFile ? [join(folder, 'fairness.sqlite')] : [])
  const { url, keys } = await answer<Served>(server)
  const measure = (count: number): Promise<Measured> =>
    answer<Measured>(caller(url, keys.measured, work, 'usual.example', atOnce, count))
  await measure(10)
  const alone = await measure(requests)
  const loud = caller(url, keys.loud, work, 'heavy.example', atOnce * overload, 0)
  // The thread that a team gets when another one holds all is started once.
  await measure(10)
  const beside = await measure(requests)
  const told = answer<Measured>(loud)
  loud.send('end')
  const other = await told
  server.disconnect()
  const p95 = (times: readonly number[]): number => percentile(times, 0.95)
  rows.push({
    work: name,
    'p95 alone, ms': Math.round(p95(alone.times)),
    [`p95 beside ${overload} ×, ms`]: Math.round(p95(beside.times)),
    ratio: (p95(beside.times) / p95(alone.times)).toFixed(2),
    'done by the other': other.times.length,
    'refused (429)': other.refusals.length,
    'p95 of a refusal, ms': Math.round(p95(other.refusals)),
  })
}
rmSync(folder, { recursive: true, force: true })
console.table(rows)
