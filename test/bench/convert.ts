import { parseHtml } from '../../packages/html/src/parse/parse.ts'
import { writeMarkdown } from '../../packages/html/src/markdown/write-markdown.ts'
import { readCorpus } from './corpus-pages.ts'
import { loadConverters, type Convert } from './markdown/peers.ts'
import { given, median, tellRatios } from './ratios.ts'

// How fast is a page converted, from its HTML to Markdown?
//
//   node test/bench/convert.ts <corpus, or '' for made-up pages> [--peers <dir>] [--pages <per set>] [--rounds <n>]
//
// Page by page every contender has its turn, in an order that moves on, so that what else the machine does hits all alike.
// The yardstick is ours. A row of its own shows what the writer alone costs, on a tree that is there already.

const corpus = given[0] ?? ''
const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const peersAt = process.argv.indexOf('--peers')
const rounds = option('rounds', 5)

const pages = readCorpus(corpus, option('pages', 12)).map(({ html }) => html)
const size = pages.reduce((sum, html) => sum + html.length, 0)
console.log(`${pages.length} pages, ${(size / 1e6).toFixed(1)} MB, mean ${Math.round(size / pages.length / 1024)} KB`)

interface Contender {
  readonly name: string
  readonly run: Convert
  readonly cpu: number[]
  readonly wall: number[]
}

const trees = new Map(pages.map((html) => [html, parseHtml(html).root]))
const writerAlone: Convert = (html) => writeMarkdown(trees.get(html)!)
const chosen = new Set([
  'harvestman',
  'mdream (native)',
  '@mdream/js',
  'turndown',
  'turndown + @joplin gfm',
  'turndown on linkedom',
  'turndown on linkedom + @joplin',
])
const contenders: Contender[] = [{ name: 'harvestman, writer alone', run: writerAlone, cpu: [], wall: [] }]
for (const { name, run } of await loadConverters(peersAt < 0 ? undefined : process.argv[peersAt + 1])) {
  if (!chosen.has(name)) continue
  if (run) contenders.push({ name, run, cpu: [], wall: [] })
  else console.log(`${name}: not installed`)
}

for (let round = -1; round < rounds; round++) await runRound(round)

const yardstick = contenders.find((contender) => contender.name === 'harvestman')!
for (const { name, cpu, wall } of contenders) {
  const ratios = cpu.map((own, i) => own / yardstick.cpu[i]!)
  const [milliseconds, clock] = [median(cpu) / pages.length, median(wall) / pages.length]
  console.log(
    name.padEnd(32),
    `${milliseconds.toFixed(3).padStart(8)} ms CPU a page`,
    `${(size / pages.length / 1e3 / milliseconds).toFixed(1).padStart(6)} MB/s`,
    `${(1000 / clock).toFixed(0).padStart(6)} pages/s`,
    `× ours ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
  )
}

const naive = contenders.filter(({ name }) => name.startsWith('turndown'))
tellRatios(
  Object.fromEntries(
    naive.map(({ name, cpu }) => [`ours, over ${name}`, median(yardstick.cpu.map((own, i) => own / cpu[i]!))]),
  ),
)

/** The first round only warms up. */
async function runRound(round: number): Promise<void> {
  const cpu = contenders.map(() => 0)
  const wall = contenders.map(() => 0)
  for (const [turn, html] of pages.entries()) {
    for (let i = 0; i < contenders.length; i++) {
      const at = (i + turn + round + 1) % contenders.length
      const started = performance.now()
      const before = process.cpuUsage()
      await convert(contenders[at]!, html)
      const { user, system } = process.cpuUsage(before)
      cpu[at]! += (user + system) / 1000
      wall[at]! += performance.now() - started
    }
  }
  if (round < 0) return
  contenders.forEach((contender, i) => {
    contender.cpu.push(cpu[i]!)
    contender.wall.push(wall[i]!)
  })
}

async function convert({ name, run }: Contender, html: string): Promise<void> {
  try {
    await run(html)
  } catch (error) {
    console.log(`${name} threw: ${String(error).slice(0, 100)}`)
  }
}
