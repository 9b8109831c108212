// A web that is made up: sites with several hosts each, a few of them very large; some hosts slow, tired or gone.
import { EngineError } from '@harvestman/core'

import { chanceOf, randomFrom } from './chance.ts'

export interface WebOptions {
  readonly hosts: number
  readonly hostsOfSite: number
  readonly urls: number
  /** Milliseconds until an answer, at a host like most. */
  readonly latency: number
  /** Whether hosts differ in size and speed, as they do in life. */
  readonly isUneven: boolean
  /** Whether some hosts are slow beyond that, ask for rest, or do not answer. */
  readonly hasTrouble?: boolean
}

export interface MadeUpWeb {
  readonly sites: readonly string[]
  readonly pages: number
  /** Pages that can be had, because neither their host nor one on the way to them is gone. */
  readonly reachable: number
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
const slowness = 10
const tired = { every: 200, rest: 5 }
const linksOfPage = 10
const [tail, range] = [1.1, 1_000]

export function makeWeb(options: WebOptions): MadeUpWeb {
  const { hosts, hostsOfSite, isUneven } = options
  const all = makeHosts(options)
  const given = { pages: 0, again: 0 }
  const addressOf = (host: number, page: number): string =>
    `https://h${host % hostsOfSite}.s${Math.floor(host / hostsOfSite)}.test/page-${page}`
  const linksOf = (number: number, page: number): string[] => {
    const { pages = 0 } = all[number] ?? {}
    const links: string[] = []
    // Home, and up: what stands on nearly every page.
    if (page > 0) links.push(addressOf(number, 0), addressOf(number, Math.floor((page - 1) / linksOfPage)))
    const first = page * linksOfPage + 1
    for (let next = first; next < Math.min(first + linksOfPage, pages); next += 1) links.push(addressOf(number, next))
    if (number % hostsOfSite === 0 && page === 0)
      for (let other = number + 1; other < Math.min(number + hostsOfSite, hosts); other += 1)
        links.push(addressOf(other, 0))
    return links
  }
  return {
    given,
    sites: Array.from({ length: Math.ceil(hosts / hostsOfSite) }, (_, site) => addressOf(site * hostsOfSite, 0)),
    pages: all.reduce((total, { pages }) => total + pages, 0),
    reachable: all.reduce((total, { pages, kind }) => total + (kind === 'gone' ? 0 : pages), 0),
    largest: all.reduce((most, { pages }) => Math.max(most, pages), 0),
    visit: async (url, sleep) => {
      const [own, site, page] = numbersIn(url)
      const number = site * hostsOfSite + own
      const host = all[number]
      if (!host) throw new Error(`There is no ${url}.`)
      host.visits += 1
      // The same whenever it is asked for, so that runs with faults are held against runs without.
      const latency = host.latency * (isUneven ? 0.7 + 0.6 * chanceOf(number, page) : 1)
      await sleep(latency)
      if (host.kind === 'gone') throw new EngineError('connection_failed', 'The host is gone.')
      if (host.kind === 'tired' && host.visits % tired.every === tired.every - 1)
        return { status: 429, headers: { 'retry-after': String(tired.rest) }, latency, links: [] }
      if (host.seen[page] === 1) given.again += 1
      else given.pages += 1
      host.seen[page] = 1
      return { status: 200, headers: {}, latency, links: linksOf(number, page) }
    },
  }
}

function makeHosts({
  hosts,
  hostsOfSite,
  urls,
  latency,
  isUneven,
  hasTrouble = isUneven,
}: WebOptions): readonly Host[] {
  const random = randomFrom(7)
  // Pareto, bounded: the largest has a thousand times the pages of the smallest, and a hundredth of all has a third.
  const drawSize = (): number => (1 - random() * (1 - range ** -tail)) ** (-1 / tail)
  const sizes = Array.from({ length: hosts }, () => (isUneven ? drawSize() : 1))
  const sum = sizes.reduce((total, size) => total + size, 0)
  return sizes.map((size, number): Host => {
    const speed = isUneven ? Math.exp(gauss(random) * 0.8) : 1
    const drawn = kindOf(random())
    // The start of a site leads to its other hosts, so it is never gone.
    const isPlain = !hasTrouble || (drawn === 'gone' && number % hostsOfSite === 0)
    const kind = isPlain ? 'plain' : drawn
    const pages = Math.max(Math.round((size / sum) * urls), 1)
    const usual = latency * speed * (kind === 'slow' ? slowness : 1)
    return { pages, latency: usual, kind, seen: new Uint8Array(pages), visits: 0 }
  })
}

/** Of `https://h3.s17.test/page-5`: 3, 17 and 5. */
function numbersIn(url: string): readonly [own: number, site: number, page: number] {
  const dot = url.indexOf('.')
  return [
    Number(url.slice('https://h'.length, dot)),
    Number(url.slice(dot + 2, url.indexOf('.', dot + 1))),
    Number(url.slice(url.lastIndexOf('-') + 1)),
  ]
}

function kindOf(chance: number): Host['kind'] {
  if (chance < shares.gone) return 'gone'
  if (chance < shares.gone + shares.tired) return 'tired'
  return chance < shares.gone + shares.tired + shares.slow ? 'slow' : 'plain'
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
