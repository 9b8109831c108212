// A web that is made up: sites with several hosts each, a few of them very large, some slow, some tired, some gone.
import { EngineError } from '@harvestman/core'

export interface WebOptions {
  readonly hosts: number
  readonly hostsOfSite: number
  readonly urls: number
  /** Milliseconds until an answer, at a host like most. */
  readonly latency: number
  /** Whether hosts differ in size and speed, as they do in life. */
  readonly isUneven: boolean
}

export interface MadeUpWeb {
  readonly sites: readonly string[]
  readonly pages: number
  /** Pages that were given, and how many were given once more. */
  readonly given: { readonly pages: number; readonly again: number }
  /** Pages of the largest host. */
  readonly largest: number
  visit(url: string, sleep: (ms: number) => Promise<void>): Promise<MadeUpPage>
}

export interface MadeUpPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly latency: number
  readonly links: readonly string[]
}

interface Host {
  readonly pages: number
  readonly latency: number
  readonly kind: 'plain' | 'slow' | 'tired' | 'gone'
  readonly seen: Uint8Array
  visits: number
}

const shares = { gone: 0.005, tired: 0.01, slow: 0.02 }
const tired = { every: 200, rest: 5 }

export function makeWeb({ hosts, hostsOfSite, urls, latency, isUneven }: WebOptions): MadeUpWeb {
  const random = randomFrom(7)
  // Pareto: a hundredth of the hosts has most of the pages.
  const sizes = Array.from({ length: hosts }, () => (isUneven ? (1 - random()) ** (-1 / 1.1) : 1))
  const sum = sizes.reduce((all, size) => all + size, 0)
  const all = sizes.map((size): Host => {
    const speed = isUneven ? Math.exp(gauss(random) * 0.8) : 1
    const kind = isUneven ? kindOf(random()) : 'plain'
    const pages = Math.max(Math.round((size / sum) * urls), 1)
    return {
      pages,
      latency: latency * speed * (kind === 'slow' ? 10 : 1),
      kind,
      seen: new Uint8Array(pages),
      visits: 0,
    }
  })
  const count = Math.ceil(hosts / hostsOfSite)
  const given = { pages: 0, again: 0 }
  const addressOf = (host: number, page: number): string =>
    `https://h${host % hostsOfSite}.s${Math.floor(host / hostsOfSite)}.test/page-${page}`
  return {
    given,
    sites: Array.from({ length: count }, (_, site) => addressOf(site * hostsOfSite, 0)),
    pages: all.reduce((total, { pages }) => total + pages, 0),
    largest: all.reduce((most, { pages }) => Math.max(most, pages), 0),
    visit: async (url, sleep) => {
      const [, own = 0, site = 0, page = 0] = (/h(\d+)\.s(\d+)\.test\/page-(\d+)/.exec(url) ?? []).map(Number)
      const number = site * hostsOfSite + own
      const host = all[number]
      if (!host) throw new Error(`There is no ${url}.`)
      host.visits += 1
      const took = host.latency * (isUneven ? 0.7 + 0.6 * random() : 1)
      await sleep(took)
      // The start of a site leads to its other hosts, so it is never gone.
      if (host.kind === 'gone' && own !== 0) throw new EngineError('connection_failed', 'The host is gone.')
      if (host.kind === 'tired' && host.visits % tired.every === tired.every - 1)
        return { status: 429, headers: { 'retry-after': String(tired.rest) }, latency: took, links: [] }
      if (host.seen[page] === 1) given.again += 1
      else given.pages += 1
      host.seen[page] = 1
      const next = Array.from({ length: 10 }, (_, link) => page * 10 + link + 1).filter((one) => one < host.pages)
      const others =
        own === 0 && page === 0 ? Array.from({ length: hostsOfSite - 1 }, (_, other) => number + other + 1) : []
      const links = [
        ...next.map((one) => addressOf(number, one)),
        ...others.filter((other) => other < hosts).map((other) => addressOf(other, 0)),
      ]
      return { status: 200, headers: {}, latency: took, links }
    },
  }
}

function kindOf(chance: number): Host['kind'] {
  if (chance < shares.gone) return 'gone'
  if (chance < shares.gone + shares.tired) return 'tired'
  return chance < shares.gone + shares.tired + shares.slow ? 'slow' : 'plain'
}

/** The same numbers in each run. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
