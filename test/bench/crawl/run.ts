// What a crawl costs, beside others: node test/bench/crawl/run.ts <folder of peers> [pages] [latency in ms] [at once] [only these, by a comma] [rounds]
// Made-up pages of about 68 KB with 170 links, served by another process; each contender in a fresh one, one after the
// other. Processor time is that of all threads of the contender. Without a folder of peers only ours and the naive stack run.
import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { given, median, tellRatios } from '../ratios.ts'
import { contenders } from './contenders.ts'

const [peers = '', pages = '500', latency = '0', atOnce = '16', only = '', rounds = '1'] = given
/** Those that need hours for it are left out, and said to be. */
const timeout = 300_000

interface Figures {
  readonly pages: number
  readonly letters: number
  readonly fiftieth: number
  readonly wall: number
  readonly cpu: number
  readonly main: number
  readonly rss: number
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

function message<T>(child: ChildProcess): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout)
    const settle = (value: T | undefined): void => {
      clearTimeout(timer)
      resolve(value)
    }
    child.once('message', (value) => settle(value as T))
    child.once('exit', () => settle(undefined))
  })
}

const server = fork(file('./site.ts'), [pages, latency])
const site = await message<{ readonly port: number; readonly meanBytes: number }>(server)
if (!site) throw new Error('The site did not start.')
console.log(
  `${pages} pages of ${Math.round(site.meanBytes / 1_000)} KB, ${latency} ms until the first byte, ${atOnce} at once`,
)

const isOwn = (name: string): boolean => name === 'naive stack' || name.startsWith('ours')
const names =
  only === ''
    ? Object.keys(contenders).filter((name) => peers !== '' || isOwn(name))
    : only.split(',').map((name) => name.trim().replace(/;/g, ','))
const helpers = Math.min(4, availableParallelism())

async function runOne(name: string, { port }: { readonly port: number }): Promise<Figures | undefined> {
  const child = fork(file('./child.ts'), [name, String(port), pages, atOnce, peers], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Similar to `npm start`: otherwise, the memory of each contender is mostly garbage that V8 has not collected yet.
    execArgv: ['--max-semi-space-size=16', '--heap-growing-percent=50', `--v8-pool-size=${helpers}`],
    env: {
      ...process.env,
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '131072',
      NODE_COMPILE_CACHE: file('../../../node_modules/.cache/node'),
    },
  })
  const figures = await message<Figures>(child)
  console.error(
    `${name}: ${figures ? `${figures.pages} pages, ${figures.cpu.toFixed(2)} ms of processor time each, ${Math.round(figures.wall)} ms` : 'not in time'}`,
  )
  return figures
}

/** Of each figure the middle of the rounds; nothing where one was not in time. */
function middle(runs: readonly (Figures | undefined)[]): Figures | undefined {
  const whole = runs.filter((run) => run !== undefined)
  const [first] = whole
  if (!first || whole.length < runs.length) return undefined
  const keys = Object.keys(first) as (keyof Figures)[]
  return Object.fromEntries(keys.map((key) => [key, median(whole.map((run) => run[key]))])) as unknown as Figures
}

const runs = new Map<string, (Figures | undefined)[]>(names.map((name) => [name, []]))
for (let round = 0; round < Number(rounds); round += 1)
  for (const name of names) runs.get(name)?.push(await runOne(name, site))
const all = new Map([...runs].map(([name, own]) => [name, middle(own)]))
server.kill()

const ratio = (name: string, base: string, key: keyof Figures) =>
  ((all.get(name)?.[key] ?? NaN) / (all.get(base)?.[key] ?? NaN)).toFixed(2)
const rows = names.map((name) => {
  const figures = all.get(name)
  if (!figures || figures.pages === 0) return { contender: name, pages: 'none in time' }
  return {
    contender: name,
    gives: contenders[name]?.gives,
    pages: figures.pages,
    'CPU ms a page': figures.cpu.toFixed(2),
    'main thread': figures.main.toFixed(2),
    '× naive': ratio(name, 'naive stack', 'cpu'),
    '× mdream': ratio(name, 'undici + mdream (Rust)', 'cpu'),
    'RSS MB': Math.round(figures.rss),
    'pages/s × fetch': (
      ((figures.pages / figures.wall) * (all.get('fetch alone')?.wall ?? NaN)) /
      Number(pages)
    ).toFixed(2),
    '50th page, × fetch': ratio(name, 'fetch alone', 'fiftieth'),
    'letters a page': Math.round(figures.letters / figures.pages),
  }
})
console.table(rows)
const overNaive = names.filter((name) => name.startsWith('ours'))
tellRatios(
  Object.fromEntries(overNaive.map((name) => [`${name}, over naive`, Number(ratio(name, 'naive stack', 'cpu'))])),
)
