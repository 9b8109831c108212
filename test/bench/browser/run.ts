// What a page of a browser costs, ours beside the others, in one run, as ratios.
// Run: node test/bench/browser/run.ts [--pages 40] [--rounds 3] [--concurrency 2] [--peers <folder>] [--only <text>]
// With --lanes 1,2,4,8 it prints instead how a few of them bear more pages to load in parallel.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { findBrowser } from '../../../packages/puppeteer/src/index.ts'
import type { Outcome } from './contender.ts'
import { asksForRatios, given, median, tellRatios } from '../ratios.ts'
import { contenders, foreign } from './contenders.ts'
import { measureContexts } from './memory.ts'

const { values } = parseArgs({
  args: [...given],
  options: {
    pages: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '2' },
    peers: { type: 'string' },
    only: { type: 'string' },
    lanes: { type: 'string' },
  },
})
const [pages, rounds, concurrency] = [Number(values.pages), Number(values.rounds), Number(values.concurrency)]
const executable = findBrowser()?.executable
if (!executable) {
  const lack = 'There is no Chromium on this machine. Install one: apt-get install chromium-headless-shell.'
  if (!asksForRatios) throw new Error(lack)
  tellRatios({}, { 'pages of a browser': lack })
  process.exit(0)
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

async function startSite(): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const child = spawn(process.execPath, [here('./site.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, origin: `http://127.0.0.1:${port}` }
}

async function runOne(name: string, origin: string, lanes: number, count: number): Promise<Outcome> {
  const args = [here('./contender.ts'), name, origin, String(count), String(lanes), executable!, values.peers ?? '']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = ''
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{"cpu"')) last = line
  if (last === '') throw new Error(`${name} did not come to an end.`)
  return JSON.parse(last) as Outcome
}

const reference = 'puppeteer, context per URL'
/** Ours, and what does the same in a context for each page. */
const pairs: Readonly<Record<string, string>> = {
  ours: reference,
  'ours, one session': reference,
  'ours, a wait': `${reference}, a wait`,
  'ours, one session, a wait': `${reference}, a wait`,
  'ours, one session, a wait and scrolls': `${reference}, a wait and scrolls`,
}
const paired: ReadonlySet<string> = new Set(Object.entries(pairs).flat())

const names = Object.keys(contenders).filter((name) => {
  if (asksForRatios) return paired.has(name)
  return (values.peers !== undefined || !foreign.has(name)) && name.includes(values.only ?? '')
})
const { child, origin } = await startSite()
const compared: ReadonlySet<string> = new Set([
  'ours',
  'ours, one session',
  'puppeteer, context per URL',
  'puppeteer, pages reused',
  'playwright, context per URL',
  'crawlee, PuppeteerCrawler',
])

/** Processor time and pages a second, at each number of pages to load in parallel. */
async function printScale(lanes: readonly number[]): Promise<void> {
  const heads = lanes.map((count) => `${count} at once`.padStart(22)).join('')
  console.log(`\n${pages} pages each, CPU ms a page and pages a second\n${'way'.padEnd(32)}${heads}`)
  for (const name of names.filter((one) => compared.has(one))) {
    const cells: string[] = []
    for (const count of lanes) {
      const { cpu, wall } = await runOne(name, origin, count, pages)
      cells.push(`${cpu.toFixed(0)} ms ${(1000 / wall).toFixed(1)}/s`.padStart(22))
    }
    console.log(name.padEnd(32) + cells.join(''))
  }
}

if (values.lanes !== undefined) {
  await printScale(values.lanes.split(',').map(Number))
  child.kill()
  process.exit(0)
}

const outcomes = new Map<string, Outcome[]>(names.map((name) => [name, []]))
for (let round = 0; round < rounds; round++) {
  for (const name of names.toSorted(() => Math.random() - 0.5)) {
    outcomes.get(name)!.push(await runOne(name, origin, concurrency, pages))
  }
}
const middle = (name: string, key: keyof Outcome): number => median((outcomes.get(name) ?? []).map((one) => one[key]))
const load = readFileSync('/proc/loadavg', 'latin1').split(' ')[0]
console.log(`\n${pages} pages, ${rounds} rounds, concurrency ${concurrency}, load ${load}, ${executable}`)
console.log(
  `${'way'.padEnd(40)}${['CPU ms', 'x ref', 'own ms', 'wall ms', 'p50 ms', 'MB'].map((head) => head.padStart(9)).join('')}`,
)
for (const name of names) {
  const cells = [
    middle(name, 'cpu').toFixed(0),
    (middle(name, 'cpu') / middle(reference, 'cpu')).toFixed(2),
    middle(name, 'own').toFixed(1),
    middle(name, 'wall').toFixed(0),
    middle(name, 'p50').toFixed(0),
    (middle(name, 'memory') / 1e6).toFixed(0),
  ]
  console.log(name.padEnd(40) + cells.map((cell) => cell.padStart(9)).join(''))
}

const ratio = (name: string, other: string): number => middle(name, 'cpu') / middle(other, 'cpu')
if (values.only === undefined && !asksForRatios) {
  const [four, eight] = [await runOne('ours', origin, 4, pages), await runOne('ours', origin, 8, pages)]
  const perContext = await measureContexts(executable, origin)
  const row = (target: string, value: number, ahead: number, near: number, isMore = false): void => {
    const meets = (limit: number): boolean => (isMore ? value >= limit : value <= limit)
    const verdict = meets(near) ? 'near the limit' : meets(ahead) ? 'ahead' : 'BEHIND'
    console.log(`${target.padEnd(72)}${value.toFixed(2).padStart(7)}  ${verdict}`)
  }
  console.log()
  row('b1  isolated page, CPU over puppeteer with a context per URL', ratio('ours', reference), 0.9, 0.65)
  if (values.peers)
    row('b2  the same over a page service that routes', ratio('ours', 'page service that routes'), 0.65, 0.45)
  row('b3  pages of one job, over puppeteer with a context per URL', ratio('ours, one session', reference), 0.4, 0.3)
  const waited = `${reference}, a wait`
  row('b3  isolated page with a wait, over the same of puppeteer', ratio('ours, a wait', waited), 0.72, 0.65)
  row('b3  pages of one job with a wait', ratio('ours, one session, a wait', waited), 0.36, 0.3)
  row('b3  the same with scrolls', ratio('ours, one session, a wait and scrolls', `${waited} and scrolls`), 0.45, 0.3)
  row('b4  CPU of Node itself for an isolated page, ms', middle('ours', 'own'), 25, 8)
  row('b5  pages a second at concurrency 8 over 4', four.wall / eight.wall, 0.95, 1, true)
  row('b5  memory of one more context, MB', perContext / 1e6, 35, 30)
}
child.kill()
tellRatios(
  Object.fromEntries(Object.entries(pairs).map(([name, other]) => [`${name}, over ${other}`, ratio(name, other)])),
)
