// All ratios of the benches at a small size, beside those that were kept: node test/bench/all.ts [--only <bench>] [--keep]
//   [--pages <folder of saved pages>] [--peers <folder with node_modules of others>]
// Ends with 1 when one is worse than half as much again as it was kept, in this run and in four more of its bench. Those follow
// when all benches have run, because what else a machine does often takes a minute.
// `--keep` writes what was found to kept.json. What this machine lacks is left out, with the reason.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import type { Ratios } from './ratios.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    pages: { type: 'string', default: '' },
    peers: { type: 'string', default: '' },
  },
})
const withPeers = values.peers === '' ? [] : ['--peers', values.peers]

interface Bench {
  readonly file: string
  readonly given: readonly string[]
  readonly flags?: readonly string[]
}

/** Each at a size that takes about a minute or less on two cores. */
const benches: Readonly<Record<string, Bench>> = {
  scrape: { file: 'scrape/run.ts', given: [values.pages, '150', '3'] },
  crawl: {
    file: 'crawl/run.ts',
    given: ['', '200', '0', '16', 'naive stack,ours; whole page; SQLite,ours; main content; SQLite', '3'],
  },
  users: { file: 'users/run.ts', given: ['--rounds', '1', '--only', 'one page', '--only', '200 pages'] },
  'cached answer': { file: 'http.ts', given: ['3', '900'] },
  'status page': { file: 'status-page.ts', given: ['3', '5'] },
  convert: { file: 'convert.ts', given: [values.pages, '--pages', '12', '--rounds', '30', ...withPeers] },
  parse: { file: 'parse.ts', given: [values.pages, '8'] },
  stores: { file: 'store.ts', given: ['2000', '5'], flags: ['--expose-gc'] },
  'results of a job': { file: 'store/run.ts', given: ['', '2000', '1'], flags: ['--expose-gc'] },
  'stores of many': { file: 'many/run.ts', given: ['1000', '1', '1'] },
  queue: { file: 'queue/run.ts', given: ['50000', '9'], flags: ['--expose-gc'] },
  politeness: { file: 'queue/politeness.ts', given: ['4', '3'] },
  sitemap: { file: 'map/run.ts', given: withPeers },
  browser: { file: 'browser/run.ts', given: ['--pages', '5', '--rounds', '3'] },
}

const worse = 1.5
const tries = 5
const timeout = 480_000

interface Found {
  readonly ratios: Ratios
  readonly missing: Readonly<Record<string, string>>
}

/** Runs one in a process group of its own, which is killed with all its processes when it takes too long. */
async function run({ file, given, flags = [] }: Bench): Promise<Found> {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, file), ...given, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let [said, complained, isLate] = ['', '', false]
  const timer = setTimeout(() => {
    isLate = true
    process.kill(-child.pid!, 'SIGKILL')
  }, timeout)
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained = (complained + text).slice(-2_000)))
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{"ratios"')) said = line
  clearTimeout(timer)
  const why = isLate ? `took longer than ${timeout / 1_000} s` : 'printed no ratios'
  if (said === '') throw new Error(`${file} ${why}.\n${complained}`)
  return JSON.parse(said) as Found
}

/** Of several runs the least of each: what else a machine does makes a ratio larger now and then, and seldom smaller. */
function least(one: Ratios, other: Ratios): Ratios {
  return Object.fromEntries(Object.entries(one).map(([name, ratio]) => [name, Math.min(ratio, other[name] ?? ratio)]))
}

interface Kept {
  readonly on: string
  readonly node: string
  readonly cores: number
  readonly benches: Readonly<Record<string, Ratios>>
}

const keptFile = join(import.meta.dirname, 'kept.json')
const kept = JSON.parse(readFileSync(keptFile, 'utf8')) as Kept

/** A ratio that cannot be told is worse than any. */
function isWorse(ratio: number, before: number | undefined): boolean {
  return before !== undefined && !(ratio <= before * worse)
}

/** Runs those benches once more that have a worse ratio, and keeps the least of each ratio. Gives whether there was one. */
async function runWorse(found: Map<string, Found>): Promise<boolean> {
  let isAnyWorse = false
  for (const [name, { ratios, missing }] of found) {
    const worse = Object.keys(ratios).filter((of) => isWorse(ratios[of]!, kept.benches[name]?.[of]))
    if (worse.length === 0 || failed.has(name)) continue
    isAnyWorse = true
    console.log(`${name}: worse, once more: ${worse.join('; ')}`)
    const again = await tryRun(name)
    if (again) found.set(name, { ratios: least(ratios, again.ratios), missing })
  }
  return isAnyWorse
}

/** Runs a bench. A failure is printed and remembered. */
async function tryRun(name: string): Promise<Found | undefined> {
  const since = performance.now()
  try {
    return await run(benches[name]!)
  } catch (error) {
    failed.add(name)
    console.log(`${name}: FAILED. ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    console.log(`${name}: ${Math.round((performance.now() - since) / 1_000)} s`)
  }
  return undefined
}

/** One row for each ratio, now or then. Gives how many are worse, or gone without a reason. */
function print(name: string, { ratios, missing }: Found): number {
  const before = kept.benches[name] ?? {}
  const isAllMissing = Object.keys(ratios).length === 0
  let bad = 0
  const row = (of: string, cells: readonly string[], verdict: string): void =>
    console.log(`${`${name}: ${of}`.padEnd(84)}${cells.map((cell) => cell.padStart(8)).join('')}  ${verdict}`)
  for (const of of new Set([...Object.keys(ratios), ...Object.keys(before)])) {
    const [now, then] = [ratios[of], before[of]]
    if (now === undefined) {
      if (of in missing || isAllMissing) continue
      bad += 1
      row(of, ['', then!.toFixed(2), ''], 'GONE')
      continue
    }
    const isBad = isWorse(now, then)
    bad += isBad ? 1 : 0
    const verdict = isBad ? 'WORSE' : then === undefined ? 'new' : ''
    row(of, [now.toFixed(2), then?.toFixed(2) ?? '', then === undefined ? '' : (now / then).toFixed(2)], verdict)
  }
  for (const [of, reason] of Object.entries(missing)) console.log(`${`${name}: ${of}`.padEnd(84)} left out: ${reason}`)
  return bad
}

const began = performance.now()
const found = new Map<string, Found>()
const failed = new Set<string>()
let bad = 0
for (const name of Object.keys(benches)) {
  if (values.only !== undefined && name !== values.only) continue
  const one = await tryRun(name)
  if (one) found.set(name, one)
}
for (let time = 1; time < tries && (await runWorse(found)); time++);
console.log(`\n${'ratio'.padEnd(84)}${['now', 'kept', '× kept'].map((head) => head.padStart(8)).join('')}`)
for (const [name, one] of found) bad += print(name, one)
const problems = [
  ...(bad > 0 ? [`${bad} worse than ${worse} times what was kept: see ${basename(import.meta.filename)}.`] : []),
  ...(failed.size > 0 ? [`${failed.size} failed.`] : []),
]
console.log(
  `\n${Math.round((performance.now() - began) / 1_000)} s. Kept ${kept.on}, Node ${kept.node}, ${kept.cores} cores. ` +
    (problems.join(' ') || 'None is worse.'),
)
if (values.keep) {
  const rounded = ({ ratios }: Found): Ratios =>
    Object.fromEntries(Object.entries(ratios).map(([of, ratio]) => [of, Number(ratio.toPrecision(3))]))
  const measured = Object.fromEntries(
    [...found].map(([name, one]) => [name, { ...kept.benches[name], ...rounded(one) }]),
  )
  const next: Kept = {
    on: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    benches: { ...kept.benches, ...measured },
  }
  writeFileSync(keptFile, `${JSON.stringify(next, null, 2)}\n`)
}
process.exit(problems.length === 0 ? 0 : 1)
