import { createEngine } from '../../packages/core/src/index.ts'
import { data } from '../../packages/data/src/index.ts'
import type { Fetcher } from '../../packages/ports/src/index.ts'
import { given } from './ratios.ts'

// How many chunks does an app have to embed when a site is crawled again?
//
//   node test/bench/chunk-changes.ts [pages] [changed pages]
//
// Of the changed pages, a fifth is removed, and in each of the others one paragraph differs.

const [pages = '2000', changed = '40'] = given
const [count, share] = [Number(pages), Math.floor(Number(changed) / 5)]
let isSecond = false
/** Returns a word without digits, because the detection of endless sites ignores numbers. */
function wordOf(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)))
}

/** Returns a paragraph of 60 words, the same for the same seed. */
function paragraph(seed: number): string {
  let state = seed + 1
  const next = (): string => {
    state = (state * 48_271) % 2_147_483_647
    return wordOf(state % 5_000)
  }
  return `<p>${Array.from({ length: 60 }, next).join(' ')} ${seed}.</p>`
}

/** Returns a page of ten sections; `undefined` if it does not exist. */
function pageOf(number: number): string | undefined {
  const isRemoved = isSecond && number > 0 && number <= share
  if (isRemoved || number >= count) return undefined
  const isChanged = isSecond && number > share && number <= Number(changed)
  const sections = Array.from({ length: 10 }, (_, section) => {
    const seed = number * 1_000 + section + (isChanged && section === 5 ? 500 : 0)
    return `<h2>Section ${section}</h2>${paragraph(seed)}${paragraph(seed + 100)}`
  })
  return `<main><h1>Page ${number}</h1>${sections.join('')}</main>`
}

function sitemap(): string {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const known = numbers.filter((number) => pageOf(number) !== undefined)
  return `<urlset>${known.map((number) => `<url><loc>http://shop.test/${number}</loc></url>`).join('')}</urlset>`
}

function bodyOf(pathname: string): string | undefined {
  if (pathname === '/sitemap.xml') return sitemap()
  return /^\/\d*$/.test(pathname) ? pageOf(Number(pathname.slice(1))) : undefined
}

const fetcher = (): Fetcher => ({
  exchange: async ({ url }) => {
    const body = bodyOf(new URL(url).pathname)
    const headers = [['content-type', 'text/html']] as const
    return { status: body === undefined ? 404 : 200, headers, body: new TextEncoder().encode(body ?? 'Not found') }
  },
  close: async () => undefined,
})
const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
await using engine = createEngine({ fetcher, resolver, plugins: [data()], limits: { hostConcurrency: 20 } })

async function crawl() {
  const from = process.cpuUsage()
  const job = await engine.crawl({
    ...{ url: 'http://shop.test/', limit: count * 2 },
    scrapeOptions: { formats: ['chunks', 'chunkChanges'] },
  })
  const sum = { pages: 0, chunks: 0, added: 0, changed: 0, removed: 0 }
  for await (const { chunks, chunkChanges } of job.documents()) {
    sum.pages += 1
    sum.chunks += chunks.length
    sum.added += chunkChanges?.added.length ?? 0
    sum.changed += chunkChanges?.changed.length ?? 0
    sum.removed += chunkChanges?.removed.length ?? 0
  }
  const { user, system } = process.cpuUsage(from)
  return { ...sum, milliseconds: (user + system) / 1_000 / sum.pages }
}

for (const name of ['first crawl', 'second crawl']) {
  const { pages, chunks, added, changed, removed, milliseconds } = await crawl()
  console.log(`${name}: ${pages} pages, ${chunks} chunks, ${milliseconds.toFixed(1)} ms of processor time a page`)
  console.log(`  ${added} added, ${changed} changed, ${removed} removed: ${added + changed} chunks to embed`)
  isSecond = true
}
