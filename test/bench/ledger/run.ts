// What counting credits costs: node --expose-gc test/bench/ledger/run.ts [rounds: 24] [pages: 400]
// The same crawl on a SQLite file, in turns: with a ledger that counts nothing, for a team without a bound, and for a team with one,
// whose pages are held and settled. The web is made up and in this process, so that nothing but the engine is measured.
// What is compared is processor time, threads included, of crawls one right after the other: each round has all kinds, in another
// order. The middle half of the ratios, and how far their median may be off, say how noisy the machine was.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import type { Ledger, MakeFetcher } from '@harvestman/ports'
import { sqliteStore } from '@harvestman/keyv'

const [rounds = 24, pages = 400] = process.argv.slice(2).map(Number)

/** Pages that have no words in common: alike ones would be left out. */
const pageOf = (number: number): string => {
  const word = (index: number): string =>
    Array.from(String((number + 1) * 7919 * (index + 3)), (digit) => 'bcdfghjklm'[Number(digit)]).join('')
  const paragraphs = Array.from({ length: 20 }, (_, at) => {
    return `<p>${Array.from({ length: 60 }, (__, index) => word(at * 60 + index)).join(' ')}</p>`
  })
  const links = [1, 2, 3, 4].map((child) => `<a href="/${number * 4 + child}">${child}</a>`)
  return `<title>${number}</title><main><h1>${word(1)}</h1>${paragraphs.join('')}${links.join(' ')}</main>`
}
// Made once: what the web costs is not the engine's.
const bodies = Array.from({ length: pages * 4 + 5 }, (_, number) => new TextEncoder().encode(pageOf(number)))
const web: MakeFetcher = () => ({
  exchange: async ({ url }) => {
    const body = bodies[Number(url.pathname.slice(1))]
    const headers = [['content-type', 'text/html; charset=utf-8']] as const
    return { status: body ? 200 : 404, headers, body: body?.slice() ?? new Uint8Array() }
  },
  close: async () => undefined,
})

const nothing: Ledger = {
  account: async () => ({ held: 0, used: 0, days: {}, months: {} }),
  hold: async () => ({ isBound: false }),
  settle: async () => undefined,
  grant: async () => ({ held: 0, used: 0, days: {}, months: {} }),
  unbind: async () => undefined,
  close: async () => undefined,
}

const kinds = ['no ledger', 'without a bound', 'with a bound'] as const
type Kind = (typeof kinds)[number]

/** Microseconds of CPU a page, threads included. */
async function crawl(kind: Kind, folder: string): Promise<number> {
  const file = join(folder, `${crypto.randomUUID()}.sqlite`)
  const store = sqliteStore(file)
  const engine = createEngine({ store, fetcher: web, ...(kind === 'no ledger' && { ledger: nothing }) })
  if (kind === 'with a bound') await engine.ledger.grant({ team: 'default', credits: 1_000_000, id: 'one' })
  globalThis.gc?.()
  const before = process.cpuUsage()
  const job = await engine.crawl({ url: 'https://made.up/0', limit: pages, sitemap: 'skip', crawlEntireDomain: true })
  const { completed, creditsUsed } = await job.end()
  const isCounted = async (): Promise<boolean> => kind === 'no ledger' || (await engine.usage()).used === pages
  // The last pages are settled right after the end.
  for (let tries = 0; !(await isCounted()); tries += 1) {
    if (tries === 1_000) throw new Error(`The ledger has not ${pages} credits.`)
    await new Promise((go) => setTimeout(go, 10))
  }
  const { user, system } = process.cpuUsage(before)
  await engine.close()
  await store.close()
  rmSync(file)
  if (completed !== pages || creditsUsed !== pages) throw new Error(`${completed} pages, ${creditsUsed} credits`)
  return (user + system) / pages
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? NaN
}

/** How far the median of as many others would be off in nine cases of ten: each time some are drawn again. */
function spreadOfMedian(values: readonly number[]): string {
  const draw = (): number => values[Math.floor(Math.random() * values.length)] ?? NaN
  const medians = Array.from({ length: 2_000 }, () => quantile(values.map(draw), 0.5))
  return [0.05, 0.95].map((part) => quantile(medians, part).toFixed(3)).join(' to ')
}

const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
const times: Record<Kind, number[]> = { 'no ledger': [], 'without a bound': [], 'with a bound': [] }
// Code that is new runs slowly.
for (const kind of [...kinds, ...kinds]) await crawl(kind, folder)
for (let round = 0; round < rounds; round += 1) {
  // Each kind is first, second and third in its turn.
  const order = kinds.map((_, at) => kinds[(at + round) % kinds.length] ?? 'no ledger')
  for (const kind of round % 2 === 0 ? order : order.toReversed()) times[kind].push(await crawl(kind, folder))
}
rmSync(folder, { recursive: true, force: true })
console.table(
  kinds.map((kind) => {
    const ratios = times[kind].map((value, round) => value / (times['no ledger'][round] ?? NaN))
    return {
      ledger: kind,
      'CPU a page, µs': Math.round(quantile(times[kind], 0.5)),
      'least, µs': Math.round(quantile(times[kind], 0)),
      'median of the ratios in pairs': quantile(ratios, 0.5).toFixed(3),
      'nine of ten medians': spreadOfMedian(ratios),
      'middle half of the ratios': [0.25, 0.75].map((part) => quantile(ratios, part).toFixed(3)).join(' to '),
    }
  }),
)
