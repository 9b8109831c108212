// node test/bench/quality/run.ts <corpus> [--cross-fit answers.json] [--peers <folder>] [--only <regex>] [--sets wcxb,news] [--every 5] [--limit 100] [--hidden]
// Scores extractors on the corpus, from the text of the Markdown they answer with, and measures their processor time
// page by page, one after the other, so that a busy machine is busy for all of them. The shipped model has seen these
// pages: with --cross-fit each page is decided by the chances of models that never saw its site (train.ts --answers).
// --hidden compares the removal of hidden text with none.
import { parseArgs } from 'node:util'
import { dataSets, readHtml, readPages, type DataSet, type Page } from './corpus.ts'
import { scoreSet } from './metrics.ts'
import { crossFitted, extractOurs, withHiddenText, withoutLists } from './ours.ts'
import { loadPeers, yardstick, type Extract, type Peer } from './peers.ts'
import { plainText } from './plain-text.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string' },
    'cross-fit': { type: 'string' },
    only: { type: 'string', default: '.' },
    sets: { type: 'string', default: dataSets.join(',') },
    limit: { type: 'string', default: 'Infinity' },
    every: { type: 'string', default: '1' },
    hidden: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
  },
})

const ours: Peer = { name: 'ours, shipped model', extract: extractOurs }
const hiddenToo: Peer = { name: 'ours, with hidden text', extract: withHiddenText }
const apart: Peer = { name: 'ours, each item of a list by itself', extract: withoutLists }

interface Tally {
  readonly answers: Map<Page, string>
  milliseconds: number
  failures: number
}

const emptyTally = (): Tally => ({ answers: new Map(), milliseconds: 0, failures: 0 })

async function runOne(peer: Peer, page: Page, html: string, tally: Tally): Promise<void> {
  const start = process.cpuUsage()
  let answer = ''
  try {
    answer = await peer.extract(html, page.url)
  } catch {
    tally.failures++
  }
  const used = process.cpuUsage(start)
  tally.milliseconds += (used.user + used.system) / 1000
  tally.answers.set(page, answer)
}

async function main(): Promise<void> {
  const folder = positionals[0]
  if (!folder) throw new Error('Give the corpus folder: node test/bench/quality/run.ts <corpus>')
  const wanted = new RegExp(flags.only, 'i')
  const sets = flags.sets.split(',') as DataSet[]
  const honest = flags['cross-fit']
    ? [
        crossFitted(
          flags['cross-fit'],
          sets.flatMap((set) => readPages(folder, set)),
        ),
      ]
    : []
  const own = flags.hidden ? [ours, hiddenToo, apart] : [ours, apart]
  const peers = [...own, ...honest, ...(flags.peers ? await loadPeers(flags.peers, wanted) : [])]
  const measure = flags.peers ? await yardstick(flags.peers).catch(() => undefined) : undefined
  const yard: Peer[] = measure
    ? [{ name: 'yardstick: turndown on linkedom, whole page', extract: measure satisfies Extract }]
    : []
  const tallies = new Map([...peers, ...yard].map((peer) => [peer, emptyTally()]))
  const pages: Page[] = []
  for (const set of sets) {
    const some = readPages(folder, set)
      .filter((_, i) => i % Number(flags.every) === 0)
      .slice(0, Number(flags.limit))
    if (pages.length === 0) for (const page of some.slice(0, 40)) await warmUp([...tallies.keys()], folder, page)
    for (const page of some) {
      const html = readHtml(folder, page)
      // Whoever comes next pays for the garbage of the one before, so the order moves on.
      const turns = [...tallies]
      for (let i = 0; i < turns.length; i++) {
        const [peer, tally] = turns[(i + pages.length) % turns.length]!
        await runOne(peer, page, html, tally)
      }
      pages.push(page)
    }
  }
  print(pages, tallies, yard)
}

async function warmUp(peers: readonly Peer[], folder: string, page: Page): Promise<void> {
  const html = readHtml(folder, page)
  for (const peer of peers) await runOne(peer, page, html, emptyTally())
}

function print(pages: readonly Page[], tallies: ReadonlyMap<Peer, Tally>, yard: readonly Peer[]): void {
  const texts = new Map<Peer, Map<Page, string>>()
  for (const [peer, tally] of tallies) {
    texts.set(peer, new Map([...tally.answers].map(([page, answer]) => [page, plainText(answer)])))
  }
  const judged = [...tallies.keys()].filter((peer) => !yard.includes(peer))
  for (const set of dataSets)
    table(
      set,
      pages.filter((page) => page.set === set),
      judged,
      texts,
    )
  const broad = pages.filter((page) => page.set === 'wcxb')
  for (const type of new Set(broad.map((page) => page.type))) {
    table(
      `wcxb ${type}`,
      broad.filter((page) => page.type === type),
      judged,
      texts,
    )
  }
  console.log('\n| speed | ms a page | pages/s | × slower than ours | failures |\n| --- | --- | --- | --- | --- |')
  const own = tallies.get(ours)!.milliseconds
  for (const [peer, { milliseconds, failures }] of tallies) {
    const each = milliseconds / pages.length
    console.log(
      `| ${peer.name} | ${each.toFixed(1)} | ${(1000 / each).toFixed(0)} | ${(milliseconds / own).toFixed(2)} | ${failures} |`,
    )
  }
}

function table(
  name: string,
  pages: readonly Page[],
  peers: readonly Peer[],
  texts: ReadonlyMap<Peer, Map<Page, string>>,
): void {
  if (pages.length === 0) return
  console.log(`\n| ${name} (${pages.length}) | F1 | precision | recall |\n| --- | --- | --- | --- |`)
  const scored = peers.map((peer) => ({ peer, score: scoreSet(pages, texts.get(peer)!) }))
  for (const { peer, score } of scored.sort((a, b) => b.score.f1 - a.score.f1)) {
    const [f1, precision, recall] = [score.f1, score.precision, score.recall].map((value) => value.toFixed(3))
    console.log(`| ${peer.name} | ${f1} | ${precision} | ${recall} |`)
  }
}

if (import.meta.main) await main()
