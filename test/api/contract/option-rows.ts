// What clients need of media formats, PDF options and actions, and the requests of a client of version 1.
import type { Bench, Row, Sent } from './row.ts'

const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body })
const get = (path: string): Sent => ({ method: 'GET', path })
const postAt =
  (path: string, body: (at: Bench['at']) => unknown) =>
  ({ at }: Bench) =>
    post(path, body(at))
const scrape = (more: object) => postAt('/v2/scrape', (at) => ({ url: at('/good/article'), ...more }))

export const optionRows: readonly Row[] = [
  ...['audio', 'video'].map((format): Row => ({
    row: '0b.10',
    client: 'all SDKs: media formats',
    says: `${format} of a page that names none`,
    request: scrape({ formats: ['markdown', format] }),
    needs: {
      status: 200,
      fields: { 'data.markdown': 'string', [`data.${format}`]: 'absent', 'data.warning': 'string' },
    },
  })),
  {
    row: '0b.10',
    client: 'all SDKs: rawBase64',
    says: 'the body of a page',
    request: scrape({ formats: ['rawBase64'] }),
    needs: { status: 200, fields: { 'data.rawBase64': 'string', 'data.markdown': 'absent' } },
  },
  ...['pages', 'blocks', 'pageMarkers'].flatMap((option): Row[] => [
    {
      row: '0b.8',
      client: 'all SDKs: parser options',
      says: `${option} of a PDF, switched off`,
      request: scrape({ parsers: [{ type: 'pdf', [option]: false }] }),
      needs: { status: 200, fields: { 'data.markdown': 'string' } },
    },
    {
      row: '0b.8',
      client: 'all SDKs: parser options',
      says: `${option} of a PDF, for a page without pages`,
      request: scrape({ parsers: [{ type: 'pdf', [option]: true }] }),
      needs: { status: 200, fields: { 'data.markdown': 'string', 'data.pages': 'absent', 'data.blocks': 'absent' } },
    },
  ]),
  {
    row: '0b.8',
    client: 'all SDKs: the default list of parsers',
    says: 'the parser of images, for a page',
    request: scrape({ parsers: ['pdf', 'image'] }),
    needs: { status: 200, fields: { 'data.markdown': 'string' } },
  },
  {
    row: '0b.15',
    client: 'Python: actions',
    says: 'a click, a screenshot, the page and a PDF in one request',
    request: scrape({
      actions: [{ type: 'click', selector: 'main' }, { type: 'screenshot' }, { type: 'scrape' }, { type: 'pdf' }],
    }),
    needs: {
      status: 200,
      fields: {
        'data.markdown': 'string',
        'data.actions.screenshots.0': 'string',
        'data.actions.scrapes.0.html': 'string',
        'data.actions.pdfs.0': 'string',
      },
    },
  },
  {
    row: 'agentic',
    client: '@agentic/firecrawl 7.6.9: scrapeUrl',
    says: 'a page with extracted data',
    request: postAt('/v1/scrape', (at) => ({
      url: at('/good/article'),
      formats: ['extract'],
      extract: { prompt: 'How many legs?', schema: { type: 'object', properties: { legs: { type: 'number' } } } },
    })),
    needs: { status: 200, values: { success: true, 'data.extract': { legs: 8 } } },
  },
  {
    row: 'agentic',
    client: '@agentic/firecrawl 7.6.9: search',
    says: 'a search',
    request: post('/v1/search', { query: 'How does it walk?' }),
    needs: {
      status: 200,
      values: { success: true },
      fields: { 'data.0.url': 'string', 'data.0.title': 'string', 'data.0.description': 'string' },
    },
  },
  ...['', '/errors'].map((part): Row => ({
    row: 'agentic',
    client: '@agentic/firecrawl 7.6.9: checkCrawlStatus, checkCrawlErrors',
    says: `GET /v1/crawl/{id}${part}`,
    request: async (bench) => {
      const { body } = await bench.send(post('/v1/crawl', { url: bench.at('/good/article'), limit: 1 }))
      return get(`/v1/crawl/${body.id}${part}`)
    },
    needs: {
      status: 200,
      ...(part === '' ? { values: { success: true }, fields: { status: 'string' } } : { fields: { errors: 'array' } }),
    },
  })),
  {
    row: 'n8n',
    client: '@mendable/n8n-nodes-firecrawl 2.1.2: scrape',
    says: 'a location with the fields of the form in it, and a scroll with an empty selector',
    request: scrape({
      location: { country: 'US', languages: ['en'], settings: { country: 'US' } },
      actions: [{ type: 'scroll', direction: 'down', selector: '' }],
    }),
    needs: { status: 200, fields: { 'data.markdown': 'string' } },
  },
  {
    row: 'n8n',
    client: '@mendable/n8n-nodes-firecrawl 2.1.2: crawl',
    says: 'a location with the fields of the form in it, within the options of pages',
    request: postAt('/v2/crawl', (at) => ({
      url: at('/good/article'),
      limit: 1,
      integration: 'n8n',
      scrapeOptions: { location: { country: 'US', languages: ['en'], settings: {} } },
    })),
    needs: { status: 200, fields: { id: 'string', url: 'string' }, values: { success: true } },
  },
]
