// How well `search` orders the links of a map, beside minisearch and the order of whoever holds the words as they are.
// Run: node test/bench/map/ranking.ts [--misses]
import MiniSearch from 'minisearch'
import { parseArgs } from 'node:util'

import { rankLinks } from '../../../packages/core/src/map/rank.ts'
import { judgeRanker, summarise, type RankedLink, type Ranker } from './ranking-quality.ts'
import { rankedSites } from './ranking-sites.ts'

const readable = (url: string): string => decodeURIComponent(new URL(url).pathname).replaceAll(/[/_.-]+/g, ' ')

const byMiniSearch: Ranker = (search, links) => {
  const index = new MiniSearch({ fields: ['title', 'path'] })
  index.addAll(links.map(({ url, title = '' }, id) => ({ id, title, path: readable(url) })))
  const found = index.search(search, { prefix: true, fuzzy: 0.2, boost: { title: 2 } }).map(({ id }) => links[id]!)
  return [...found, ...links.filter((link) => !found.includes(link))]
}

const bySubstring: Ranker = (search, links) => {
  const words = search.toLowerCase().split(/\s+/)
  const count = ({ url, title = '' }: RankedLink): number => {
    const text = `${readable(url)} ${title}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  return links.toSorted((one, other) => count(other) - count(one))
}

const ours: Ranker = (search, links) => rankLinks(search, links, new AbortController().signal)

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } })
  console.log('| Order | Queries | MRR | nDCG@10 | Best page first |')
  console.log('| --- | ---: | ---: | ---: | ---: |')
  for (const [name, rank] of Object.entries({ harvestman: ours, minisearch: byMiniSearch, substring: bySubstring })) {
    const { queries, mrr, ndcg, first } = summarise(await judgeRanker(rank, rankedSites))
    console.log(`| ${name} | ${queries} | ${mrr.toFixed(3)} | ${ndcg.toFixed(3)} | ${(first * 100).toFixed(1)} % |`)
  }
  const judged = await judgeRanker(ours, rankedSites)
  console.log('\n| Site | Queries | MRR |\n| --- | ---: | ---: |')
  for (const { name } of rankedSites) {
    const { queries, mrr } = summarise(judged.filter(({ site }) => site === name))
    console.log(`| ${name} | ${queries} | ${mrr.toFixed(3)} |`)
  }
  if (!values.misses) return
  for (const { search, place, best, given } of judged.filter((one) => one.place !== 1))
    console.log(`${place}: ${search} -> ${best[0]} but ${given.join(' ')}`)
}

await main()
