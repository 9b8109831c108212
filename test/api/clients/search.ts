// The searches of every client: the same page is found on a scripted SearXNG and in the index of scraped pages.
import type { SearxngReply } from '@harvestman/testing'
import Client, { FirecrawlAppV1 } from 'firecrawl'
import FirstClient from 'firecrawl-js-1'

import type { House } from '../bench.ts'
import { key, must, type ClientCase } from './cases.ts'

/** What the page says that is looked for. */
export const words = 'walks on six'
const article = '/good/article'
const about = 'A harvestman has eight legs, but it walks on six.'

/** A SearXNG that finds one page of the site for the web, and something of its own for news and pictures. */
export function foundIn(house: Pick<House, 'at'>): SearxngReply {
  return (parameters) => {
    const url = house.at(article)
    if (parameters.get('categories') === 'news')
      return { results: [{ url, title: 'News of it', content: about, publishedDate: '2026-01-31T00:00:00' }] }
    if (parameters.get('categories') === 'images')
      return { results: [{ url, title: 'A picture', img_src: `${url}.png`, resolution: '640 x 480' }] }
    return {
      results: [
        { url, title: 'The article', content: about },
        { url: 'javascript:alert(1)', title: 'Bad' },
      ],
    }
  }
}

/** What any of the searches must have found. */
function mustBeThere(found: unknown, house: House): void {
  const [first, ...others] = (Array.isArray(found) ? found : [found]) as readonly Readonly<Record<string, unknown>>[]
  const metadata = first?.['metadata'] as Readonly<Record<string, unknown>> | undefined
  must((first?.['url'] ?? metadata?.['sourceURL']) === house.at(article) && others.length === 0, found)
}

function mustBeRead(found: unknown, house: House): void {
  mustBeThere(found, house)
  const [{ markdown }] = found as readonly [{ readonly markdown?: string }]
  must(markdown?.includes('but it walks on six'), found)
}

const page = { formats: ['markdown' as const] }

export const searchCases: readonly ClientCase[] = [
  {
    client: 'firecrawl 4.42.0',
    method: 'search',
    run: async (house) => {
      const sdk = new Client({ apiKey: key, apiUrl: house.server.url })
      const plain = await sdk.search(words, { limit: 3 })
      mustBeThere(plain.web, house)
      must(!plain.news && !plain.images, plain)
      const [{ description }] = plain.web as unknown as readonly [{ readonly description: string }]
      must(description.includes(words), plain)
      mustBeRead((await sdk.search(words, { limit: 3, sources: ['web'], scrapeOptions: page })).web, house)
    },
  },
  {
    client: 'firecrawl 4.42.0, `v1`',
    method: 'search',
    run: async (house) => {
      const sdk = new FirecrawlAppV1({ apiKey: key, apiUrl: house.server.url })
      mustBeThere((await sdk.search(words, { limit: 3 })).data, house)
      mustBeRead((await sdk.search(words, { limit: 3, scrapeOptions: page })).data, house)
    },
  },
  {
    client: '@mendable/firecrawl-js 1.29.3',
    method: 'search',
    run: async (house) => {
      const sdk = new FirstClient({ apiKey: key, apiUrl: house.server.url })
      mustBeThere((await sdk.search(words, { limit: 3 })).data, house)
      mustBeRead((await sdk.search(words, { limit: 3, scrapeOptions: page })).data, house)
    },
  },
]

/** What only a search of the web can give. */
export const webSearchCases: readonly ClientCase[] = [
  {
    client: 'firecrawl 4.42.0',
    method: 'search, of news and images',
    run: async (house) => {
      const sdk = new Client({ apiKey: key, apiUrl: house.server.url })
      const { web, news, images } = await sdk.search(words, { sources: ['news', { type: 'images' }], tbs: 'qdr:y' })
      must(web === undefined, web)
      mustBeThere(news, house)
      const [one] = (news ?? []) as unknown as readonly Readonly<Record<string, unknown>>[]
      must(one?.['snippet'] === about && one['date'] === '2026-01-31T00:00:00', news)
      const [picture] = (images ?? []) as unknown as readonly Readonly<Record<string, unknown>>[]
      must(picture?.['imageUrl'] === `${house.at(article)}.png` && picture['imageWidth'] === 640, images)
    },
  },
]
