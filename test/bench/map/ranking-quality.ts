import type { RankedSite } from './ranking-sites.ts'

export interface RankedLink {
  readonly url: string
  readonly title?: string
}

/** Orders links by words. */
export type Ranker = (
  search: string,
  links: readonly RankedLink[],
) => Promise<readonly RankedLink[]> | readonly RankedLink[]

export interface Quality {
  readonly queries: number
  /** One over the place of the best page, on average. */
  readonly mrr: number
  /** How near the first ten are to the best order: the best page counts twice as much as a further good one. */
  readonly ndcg: number
  /** How often the best page is the first. */
  readonly first: number
}

interface Judged {
  readonly search: string
  readonly best: readonly string[]
}

export function linksOf({ host, pages }: RankedSite): RankedLink[] {
  return linesOf(pages).map((line) => {
    const [path = '', title] = line.split(' | ')
    const { href: url } = new URL(path, `https://${host}`)
    return title === undefined ? { url } : { url, title }
  })
}

export function queriesOf({ host, queries }: RankedSite): Judged[] {
  return linesOf(queries).map((line) => {
    const [search = '', pages = ''] = line.split(' => ')
    return { search, best: pages.split(', ').map((path) => new URL(path, `https://${host}`).href) }
  })
}

export interface Judgement extends Judged {
  readonly site: string
  /** The place of the best page, from 1. */
  readonly place: number
  readonly ndcg: number
  readonly given: readonly string[]
}

export async function judgeRanker(rank: Ranker, sites: readonly RankedSite[]): Promise<Judgement[]> {
  const judgements: Judgement[] = []
  for (const site of sites) {
    // Turned around, so that the order in which a site was written down helps nobody.
    const links = linksOf(site).reverse()
    for (const { search, best } of queriesOf(site)) {
      const given = (await rank(search, links)).map(({ url }) => url)
      const place = given.indexOf(best[0] ?? '') + 1
      if (!links.some(({ url }) => url === best[0])) throw new Error(`${search}: ${best[0]} is no page of the site.`)
      judgements.push({ site: site.name, search, best, place, ndcg: ndcgOf(given, best), given: given.slice(0, 3) })
    }
  }
  return judgements
}

export function summarise(judgements: readonly Judgement[]): Quality {
  const mean = (valueOf: (one: Judgement) => number): number =>
    judgements.reduce((sum, one) => sum + valueOf(one), 0) / judgements.length
  return {
    queries: judgements.length,
    mrr: mean(({ place }) => (place > 0 ? 1 / place : 0)),
    ndcg: mean(({ ndcg }) => ndcg),
    first: mean(({ place }) => (place === 1 ? 1 : 0)),
  }
}

const looked = 10

function ndcgOf(given: readonly string[], best: readonly string[]): number {
  const gains = given.slice(0, looked).map((url) => gainOf(best.indexOf(url)))
  const ideal = best.map((_, at) => gainOf(at))
  return discounted(gains) / discounted(ideal)
}

function gainOf(at: number): number {
  return at < 0 ? 0 : at === 0 ? 2 : 1
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0)
}

function linesOf(text: string): string[] {
  return text.trim().split('\n')
}
