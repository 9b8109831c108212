// What does the index of scraped pages cost? For each page: CPU and time of the thread that writes it, and of the thread that
// hands it over; then how long a question takes when so many pages are there. With two more numbers, what a crawl of a site
// costs with the index and without it, as a ratio.
// Run: node --expose-gc test/bench/search/run.ts [pages …, as 10000 100000]
//      node test/bench/search/run.ts crawl [pages] [rounds]
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { pageIndex } from '@harvestman/search'
import { queryFor } from '@harvestman/testing'

import { openTeamIndex } from '../../../packages/search/src/pages/database.ts'
import type { IndexedPage } from '../../../packages/search/src/pages/rows.ts'

// Words as languages have them: a few that are everywhere, many that are rare.
const vocabulary = Array.from({ length: 60_000 }, (_, at) => `w${((at * 2_654_435_761) % 4_294_967_296).toString(36)}`)
let state = 42
function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
const word = (): string => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? 'the'
const words = (count: number): string => Array.from({ length: count }, word).join(' ')

/** Some 6,000 characters of Markdown: the main content of a usual page. */
function makePage(number: number): IndexedPage {
  const paragraphs = Array.from({ length: 8 }, () => `${words(80)} [${words(3)}](https://a.example/${number})`)
  const markdown = `# ${words(6)}\n\n${paragraphs.join('\n\n')}`
  const page = { url: `https://host${number % 500}.example/${number}`, title: words(6), markdown, at: Date.now() }
  return { ...page, language: 'en', version: '' }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const best = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

const kinds: Readonly<Record<string, () => string>> = {
  'a rare word': () => vocabulary[50_000 + Math.floor(random() * 9_000)] ?? '',
  'three words': () => words(3),
  'a common word': () => vocabulary[2] ?? '',
  'three common words': () => `${vocabulary[1]} ${vocabulary[2]} ${vocabulary[3]}`,
  'a phrase': () => `"${vocabulary[1]} ${vocabulary[2]}"`,
}

/** The thread by itself: what is written and asked in it. */
async function measureIndex(pages: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-index-'))
  const index = openTeamIndex(join(folder, 'index.sqlite'), { pages: pages * 2, bytes: 1e12, life: 1e12, vectors: 1 })
  let spent = 0
  let slowest = 0
  const cpu = process.cpuUsage()
  let making = 0
  for (let number = 0; number < pages; number += 20) {
    const before = process.cpuUsage()
    const batch = Array.from({ length: 20 }, (_, at) => makePage(number + at))
    const made = process.cpuUsage(before)
    making += made.user + made.system
    const began = performance.now()
    index.put(batch)
    const took = performance.now() - began
    spent += took
    slowest = Math.max(slowest, took)
  }
  const { user, system } = process.cpuUsage(cpu)
  const each = (value: number): string => (value / pages).toFixed(3)
  console.log(
    `${pages} pages: ${each((user + system - making) / 1_000)} ms CPU a page, ${each(spent)} ms; longest write of 20 pages ${slowest.toFixed(0)} ms; ${(sizeOf(folder) / pages / 1_000).toFixed(1)} kB a page`,
  )
  for (const [kind, make] of Object.entries(kinds)) {
    const times: number[] = []
    for (let time = 0; time < 30; time += 1) {
      const query = queryFor({ words: make(), limit: 10 })
      const began = performance.now()
      await index.find({ query, now: Date.now() }, new AbortController().signal)
      times.push(performance.now() - began)
    }
    console.log(`  ${kind}: median ${median(times).toFixed(1)} ms, slowest of 30 ${best(times, 0.99).toFixed(1)} ms`)
  }
  index.close()
  rmSync(folder, { recursive: true, force: true })
}

/** A crawl over HTTP on this machine, with the index and without it: CPU of the whole process, site included. */
async function measureCrawl(pages: number, rounds: number): Promise<void> {
  const texts = Array.from({ length: pages }, (_, number) => htmlOf(number, pages))
  const server = createServer((request, response) => {
    const text = texts[Number(request.url?.slice(1))]
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(text)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = texts.map((_, number) => `${origin}/${number}`)
  const found: Record<'off' | 'on', number[]> = { off: [], on: [] }
  for (let round = 0; round < rounds; round += 1)
    for (const mode of round % 2 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      const folder = mkdtempSync(join(tmpdir(), 'bench-index-'))
      const index = mode === 'on' ? pageIndex({ folder, pages: pages * 2 }) : undefined
      const engine = createEngine({
        allowPrivate: ['127.0.0.0/8'],
        search: index,
        plugins: index ? [index.plugin] : [],
      })
      const [began, before] = [performance.now(), process.cpuUsage()]
      const job = await engine.batch({ urls })
      await job.end()
      const time = performance.now() - began
      await engine.close()
      const { user, system } = process.cpuUsage(before)
      const cpu = (user + system) / 1_000 / pages
      if (round > 0) found[mode].push(cpu)
      console.log(`${mode}: ${cpu.toFixed(2)} ms CPU a page, ${(time / pages).toFixed(2)} ms a page`)
      rmSync(folder, { recursive: true, force: true })
    }
  server.close()
  const [off, on] = [median(found.off), median(found.on)]
  console.log(`on / off: ${(on / off).toFixed(2)} of the CPU, ${(on - off).toFixed(2)} ms more a page`)
}

function htmlOf(number: number, pages: number): string {
  const links = Array.from(
    { length: 40 },
    (_, at) => `<li><a href="/${(number * 7 + at) % pages}">${words(3)}</a></li>`,
  )
  const text = Array.from({ length: 40 }, () => `<p class="text">${words(60)}</p>`).join('\n')
  return `<!doctype html><title>${words(6)}</title><nav><ul>${links.join('')}</ul></nav><main><h1>${words(5)}</h1>${text}</main>`
}

const [first, ...more] = process.argv.slice(2)
if (first === 'crawl') await measureCrawl(Number(more[0] ?? 400), Number(more[1] ?? 5))
else for (const pages of [first ?? 10_000, ...more].map(Number)) await measureIndex(pages)
