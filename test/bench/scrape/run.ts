// The cost of a page: node test/bench/scrape/run.ts [folder of saved pages, or '' for made-up ones] [pages] [rounds]
// Prints processor time per page, the main thread's share of it, and the ratio to the naive stack, all from one
// interleaved run; each contender in a fresh process, the server in another.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { asksForRatios, given, median, tellRatios } from '../ratios.ts'
import { contenders } from './contenders.ts'

const [folder = '', pages = '400', rounds = '3'] = given
const kept = ['ours, whole page', 'ours, main content']
const names = Object.keys(contenders).filter((name) => !asksForRatios || name === 'naive' || kept.includes(name))

interface Figures {
  readonly cpu: number
  readonly main: number
  readonly wall: number
  readonly rss: number
  readonly characters: number
}

// Similar to `npm start`. With the heap of plain Node, each contender costs either as much or twice as much, by chance.
const helpers = Math.min(4, availableParallelism())
const execArgv = ['--max-semi-space-size=16', '--heap-growing-percent=50', `--v8-pool-size=${helpers}`]

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const message = <T>(child: ReturnType<typeof fork>) =>
  new Promise<T>((resolve, reject) => {
    child.once('message', (value) => resolve(value as T))
    child.once('exit', (code) => reject(new Error(`A contender ended with ${code}.`)))
  })

const server = fork(file('./pages.ts'), [folder])
process.on('exit', () => server.kill())
const site = await message<{ port: number; pages: number; meanBytes: number }>(server)
console.log(
  `${site.pages} different pages, ${Math.round(site.meanBytes / 1_000)} KB on average; ${pages} visits, ${rounds} rounds`,
)

const all = new Map<string, Figures[]>(names.map((name) => [name, []]))
for (let round = 0; round < Number(rounds); round += 1) {
  for (const name of names.toSorted(() => Math.random() - 0.5)) {
    all
      .get(name)
      ?.push(await message<Figures>(fork(file('./child.ts'), [name, String(site.port), pages], { execArgv })))
  }
}
server.kill()

const of = (name: string, key: keyof Figures) => median((all.get(name) ?? []).map((figures) => figures[key]))
const rows = [...all.keys()].map((name) => ({
  contender: name,
  'CPU ms a page': of(name, 'cpu').toFixed(2),
  '× naive': (of(name, 'cpu') / of('naive', 'cpu')).toFixed(2),
  'main thread ms a page': of(name, 'main').toFixed(2),
  'pages/s × naive': (of('naive', 'wall') / of(name, 'wall')).toFixed(2),
  'RSS MB': Math.round(of(name, 'rss')),
  'characters a page': Math.round(of(name, 'characters')),
}))
console.table(rows)
tellRatios(Object.fromEntries(kept.map((name) => [`${name}, over naive`, of(name, 'cpu') / of('naive', 'cpu')])))
