// node test/bench/html/run.ts <corpus> --peers <folder> [--cross-fit answers.json] [--every 6]
// Prints the table of the package's README: quality of the main content by set, and processor time beside `extract`. The
// shipped model has seen the pages of the corpus; with --cross-fit each page is decided by models that never saw its site.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

import { extract } from '@harvestman/html'

import { dataSets, readHtml, readPages, type Page } from '../quality/corpus.ts'
import { scoreSet } from '../quality/metrics.ts'
import { crossFitted } from '../quality/ours.ts'
import { loadPeers, yardstick, type Peer } from '../quality/peers.ts'
import { plainText } from '../quality/plain-text.ts'

interface Row extends Peer {
  readonly texts: Map<Page, string>
  milliseconds: number
}

const ours = '@harvestman/html'
const warmUpPages = 40

async function measure(row: Row, html: string, page: Page): Promise<void> {
  const start = process.cpuUsage()
  const extracted = async (): Promise<string> => row.extract(html, page.url)
  const answer = await extracted().catch(() => '')
  const { user, system } = process.cpuUsage(start)
  row.milliseconds += (user + system) / 1000
  row.texts.set(page, plainText(answer))
}

async function main(): Promise<void> {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      peers: { type: 'string' },
      'cross-fit': { type: 'string' },
      every: { type: 'string', default: '6' },
    },
  })
  const folder = positionals[0]
  if (!folder) throw new Error('Give the corpus folder: node test/bench/html/run.ts <corpus>')
  const pages = dataSets.flatMap((set) => readPages(folder, set).filter((_, i) => i % Number(flags.every) === 0))
  const peers: Peer[] = [{ name: ours, extract: (html, url) => extract(html, { url }).markdown }]
  if (flags['cross-fit']) peers.push({ ...crossFitted(flags['cross-fit'], pages), name: 'the same, pages unseen' })
  if (flags.peers) {
    peers.push(...(await loadPeers(flags.peers, /./)))
    peers.push({ name: 'turndown on linkedom, whole page', extract: await yardstick(flags.peers) })
  }
  const rows: Row[] = peers.map((peer) => ({ ...peer, texts: new Map(), milliseconds: 0 }))
  for (const page of pages.slice(0, warmUpPages))
    for (const row of rows) await measure(row, readHtml(folder, page), page)
  for (const row of rows) row.milliseconds = 0
  for (const [index, page] of pages.entries()) {
    const html = readHtml(folder, page)
    // The garbage of one is collected on the time of the next, so the order moves on.
    for (let turn = 0; turn < rows.length; turn += 1) await measure(rows[(turn + index) % rows.length]!, html, page)
  }
  print(rows, pages)
}

function print(rows: readonly Row[], pages: readonly Page[]): void {
  const sets = dataSets.map((set) => ({ set, own: pages.filter((page) => page.set === set) }))
  console.log(`| ${pages.length} pages | ${sets.map(({ set, own }) => `${set} (${own.length})`).join(' | ')} | CPU |`)
  console.log(`| --- |${' --- |'.repeat(sets.length + 1)}`)
  for (const { name, texts, milliseconds } of rows) {
    const scores = sets.map(({ own }) => scoreSet(own, texts).f1.toFixed(3))
    console.log(`| ${name} | ${scores.join(' | ')} | ${(milliseconds / rows[0]!.milliseconds).toFixed(1)} |`)
  }
  const dist = fileURLToPath(new URL('../../../packages/html/dist', import.meta.url))
  const files = globSync('**/*.js', { cwd: dist }).map((file) => readFileSync(`${dist}/${file}`))
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} KB`
  const all = Buffer.concat(files)
  if (files.length > 0)
    console.log(`\nAll files of the package: ${kilobytes(all.length)}, with gzip ${kilobytes(gzipSync(all).length)}.`)
}

await main()
