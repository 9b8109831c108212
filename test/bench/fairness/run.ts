// What one team's overload costs another: node test/bench/fairness/run.ts [requests: 200] [overload: 10]
// Prints the latency of one team's requests alone, and beside a team that has ten times as many under way of pages that are five
// times as large. The server, the measured team and the loud one are processes of their own: what callers do is not the server's.
// The loud team may have two pages under way and four that wait; more are refused, as an operator would have it.
// The third figure is what the machine itself costs: the loud team is at a second server then, and shares the processors only.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [requests = 200, overload = 10] = process.argv.slice(2).map(Number)
const atOnce = 1

interface Served {
  readonly url: string
  readonly keys: { readonly measured: string; readonly loud: string }
}

interface Measured {
  readonly times: readonly number[]
  readonly refusals: readonly number[]
}

const fileOf = (name: string): string => new URL(name, import.meta.url).pathname
const answer = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T
const caller = (url: string, key: string, work: string, host: string, lines: number, count: number): ChildProcess =>
  fork(fileOf('load.ts'), [url, key, work, host, `${lines}`, `${count}`])

function percentile(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? NaN
}

const folder = mkdtempSync(join(tmpdir(), 'fairness-'))
const rows = []
for (const [name, work, hasFile] of [
  ['scrape', 'scrape', false],
  ['scrape, kept in SQLite', 'scrape', true],
  ['batch of 4', 'batch', false],
] as const) {
  const start = async (file: string): Promise<Served & { readonly process: ChildProcess }> => {
    const process = fork(fileOf('server.ts'), hasFile ? [join(folder, file)] : [])
    return { ...(await answer<Served>(process)), process }
  }
  const [own, second] = [await start(`${name}.sqlite`), await start(`${name}, second.sqlite`)]
  const measure = async (): Promise<number> => {
    const ask = (): Promise<Measured> =>
      answer<Measured>(caller(own.url, own.keys.measured, work, 'usual.example', atOnce, requests))
    // Code that is new runs slowly, here and in threads that are started for a second team.
    await ask()
    return percentile((await ask()).times)
  }
  const beside = async ({ url, keys }: Served): Promise<{ readonly p95: number; readonly other: Measured }> => {
    const loud = caller(url, keys.loud, work, 'heavy.example', atOnce * overload, 0)
    const p95 = await measure()
    const told = answer<Measured>(loud)
    loud.send('end')
    return { p95, other: await told }
  }
  const alone = await measure()
  const apart = await beside(second)
  const { p95, other } = await beside(own)
  own.process.disconnect()
  second.process.disconnect()
  rows.push({
    work: name,
    'p95 alone, ms': Math.round(alone),
    [`beside ${overload} × in one engine`]: `${Math.round(p95)} ms, ${(p95 / alone).toFixed(2)}`,
    'at another engine': `${Math.round(apart.p95)} ms, ${(apart.p95 / alone).toFixed(2)}`,
    'done by the other': other.times.length,
    'refused (429)': other.refusals.length,
    'p95 of a refusal, ms': Math.round(percentile(other.refusals)),
  })
}
rmSync(folder, { recursive: true, force: true })
console.table(rows)
