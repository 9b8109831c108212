import type { Draft } from './draft.ts'

/** An example request. */
export interface Example {
  readonly title: string
  readonly draft: Partial<Draft> & Pick<Draft, 'kind' | 'url'>
}

const books = 'https://books.toscrape.com/'
const quotes = 'https://quotes.toscrape.com/'
const lamp = {
  type: 'object',
  properties: { title: { type: 'string' }, price: { type: 'string' }, available: { type: 'boolean' } },
  required: ['title'],
}

/** Requests to public sites that exist for scraping practice. Examples that the server does not support are not shown. */
export const examples: readonly Example[] = [
  {
    title: 'A page as Markdown',
    draft: { kind: 'scrape', url: 'https://example.com', formats: ['markdown', 'links'] },
  },
  {
    title: 'Structured data by your schema',
    draft: {
      kind: 'scrape',
      url: `${books}catalogue/a-light-in-the-attic_1000/index.html`,
      formats: ['json'],
      formatValues: { json: { schema: lamp } },
    },
  },
  { title: 'All items of a list', draft: { kind: 'scrape', url: quotes, formats: ['items'] } },
  {
    title: 'Screenshot on a phone',
    draft: { kind: 'scrape', url: quotes, formats: ['screenshot'], values: { mobile: true } },
  },
  { title: 'All URLs of a site', draft: { kind: 'map', url: books } },
  { title: 'Crawl a site, 20 pages', draft: { kind: 'crawl', url: quotes, values: { limit: 20 } } },
]
