// What one team's overload costs another: node test/bench/fairness/run.ts [requests: 100] [overload: 10]
// Prints the latency of one team's requests alone, and beside a team that has ten times as many under way of pages that are five
// times as large. The servers, the sites, the measured team and the loud one are processes of their own. The loud team may have two
// pages under way and four that wait; more are refused, as an operator would have it. How long a refusal takes is measured by one more
// caller of the loud team, which has the processor as the measured one has it.
// The loud team is at a second server in turn, and shares the processors only: that is what the machine itself costs, and the rest is
// what sharing an engine costs. The last rows are the extreme: pages that take no time to come, and are all processor.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [requests = 100, overload = 10] = process.argv.slice(2).map(Number)
/** The requests are made in so many blocks, alone and beside the loud team in turns. */
const blocks = 4

interface Served {
  readonly url: string
  readonly keys: { readonly measured: string; readonly loud: string }
}

interface Made {
  readonly times: readonly number[]
  readonly refusals: readonly number[]
}

interface Held {
  readonly p99: number
  readonly most: number
}

const children: ChildProcess[] = []
const start = (name: string, args: readonly string[]): ChildProcess => {
  const child = fork(new URL(name, import.meta.url).pathname, args)
  // What has failed never answers.
  child.once('exit', (code) => code && process.exit(code))
  children.push(child)
  return child
}
const answer = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T
const told = async <T>(child: ChildProcess, what: number | string): Promise<T> => {
  const answered = answer<T>(child)
  child.send(what)
  return answered
}
const rest = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms))

function percentile(times: readonly number[], part = 0.95): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? NaN
}

interface Row {
  readonly name: string
  readonly work: string
  readonly isKept: boolean
  readonly isReal: boolean
}

const places = ['alone', 'at another engine', 'in one engine'] as const
type Place = (typeof places)[number]

async function measure({ name, work, isKept, isReal }: Row, folder: string, port: number) {
  const serve = async (file: string): Promise<Served & { readonly child: ChildProcess }> => {
    const child = start('server.ts', [isKept ? join(folder, `${name}, ${file}.sqlite`) : '', isReal ? `${port}` : ''])
    return { child, ...(await answer<Served>(child)) }
  }
  const [own, second] = [await serve('own'), await serve('second')]
  // Hosts of their own: what a host is asked for at once is shared by all.
  const site = (team: string, host: string): string =>
    isReal ? `http://${team === 'usual' ? '127.0.0.1' : '127.0.0.2'}:${port}/${team}` : `https://${host}`
  const atOnce = isReal && work === 'scrape' ? 4 : 1
  const [usual, heavy] = [site('usual', 'usual.example'), site('heavy', 'heavy.example')]
  const measured = start('load.ts', [own.url, own.keys.measured, work, usual, `${atOnce}`])
  const loudAt = ({ url, keys }: Served): ChildProcess =>
    start('load.ts', [url, keys.loud, work, heavy, `${atOnce * overload}`])
  const loud: Record<Place, ChildProcess | undefined> = {
    alone: undefined,
    'at another engine': loudAt(second),
    'in one engine': loudAt(own),
  }
  const refused = start('load.ts', [own.url, own.keys.loud, work, heavy, '1'])
  const times: Record<Place, number[]> = { alone: [], 'at another engine': [], 'in one engine': [] }
  const other = { done: 0, refused: 0, refusals: [] as number[] }
  // Each batch is four pages.
  const most = work === 'batch' ? requests / 2 : requests
  const block = async (place: Place, count: number): Promise<readonly number[]> => {
    const ended = loud[place] && answer<Made>(loud[place])
    loud[place]?.send(0)
    // Until it has all under way.
    if (ended) await rest(500)
    const isBeside = place === 'in one engine'
    const asked = isBeside ? told<Made>(refused, -1) : undefined
    const { times: took } = await told<Made>(measured, count)
    if (isBeside) refused.send('end')
    loud[place]?.send('end')
    const made = await ended
    if (isBeside) {
      other.done += made?.times.length ?? 0
      other.refused += made?.refusals.length ?? 0
      other.refusals.push(...((await asked)?.refusals ?? []))
    }
    return took
  }
  // Code that is new runs slowly, here and in threads that are started for a second team.
  for (const place of places) await block(place, Math.ceil(most / 5))
  Object.assign(other, { done: 0, refused: 0, refusals: [] })
  own.child.send('begin')
  for (let round = 0; round < blocks; round += 1) {
    for (const at of places.keys()) {
      const place = places[(at + round) % places.length] ?? 'alone'
      times[place].push(...(await block(place, Math.ceil(most / blocks))))
    }
  }
  const held = await told<Held>(own.child, 'held')
  for (const child of children.splice(1)) child.disconnect()
  const [alone, apart, beside] = places.map((place) => percentile(times[place])) as [number, number, number]
  const shown = (ms: number): string => `${Math.round(ms)} ms, ${(ms / alone).toFixed(2)}`
  return {
    work: name,
    'p95 alone, ms': Math.round(alone),
    [`beside ${overload} ×, one engine`]: shown(beside),
    'at another engine': shown(apart),
    'one / another': (beside / apart).toFixed(2),
    'done by the other': other.done,
    'refused (429)': other.refused,
    'refusal p50, p95, ms':
      other.refusals.length === 0
        ? ''
        : [0.5, 0.95].map((part) => percentile(other.refusals, part).toFixed(1)).join(', '),
    'loop held p99, most, ms': `${held.p99.toFixed(0)}, ${held.most.toFixed(0)}`,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fairness-'))
const { port } = await answer<{ readonly port: number }>(start('site.ts', []))
const rows: Row[] = [true, false].flatMap((isReal) =>
  [
    { name: 'scrape', work: 'scrape', isKept: false, isReal },
    { name: 'scrape, kept in SQLite', work: 'scrape', isKept: true, isReal },
    { name: 'batch of 4', work: 'batch', isKept: false, isReal },
  ].map((row) => (isReal ? row : { ...row, name: `all processor: ${row.name}` })),
)
const results = []
for (const row of rows) results.push(await measure(row, folder, port))
for (const child of children) child.disconnect()
rmSync(folder, { recursive: true, force: true })
console.table(results)
