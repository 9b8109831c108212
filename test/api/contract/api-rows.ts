// Differences that the public API's own tests of a self-hosted server find.
import type { Bench, Row, Sent } from './row.ts'

const suite = 'tests of the public API'
const someId = '00000000-0000-4000-8000-000000000000'
const page = '<title>Lamp</title><main><h1>Lamp</h1><p>It costs EUR 12.</p></main>'
const legs = { type: 'object', properties: { legs: { type: 'number' } } }

const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body })
const get = (path: string): Sent => ({ method: 'GET', path })
const postAt =
  (path: string, body: (at: Bench['at']) => unknown) =>
  ({ at }: Bench) =>
    post(path, body(at))
const parsed = (options: object): Sent => ({
  method: 'POST',
  path: '/v2/parse',
  form: { file: { name: 'lamp.html', text: page }, options: JSON.stringify(options) },
})

const refusedForFiles = (says: string, options: object, words: RegExp): Row => ({
  row: '0.2',
  client: suite,
  says: `an uploaded file with ${says}`,
  request: parsed(options),
  needs: { status: 400, values: { success: false, code: 'PARSE_UNSUPPORTED_OPTIONS', error: words } },
})

const halfOfTimeout = (version: string): Row => ({
  row: '0.3',
  client: suite,
  says: `waitFor above half of timeout in ${version}`,
  request: postAt(`/${version}/scrape`, (at) => ({ url: at('/good/article'), waitFor: 3_000, timeout: 4_000 })),
  needs: { status: 400, values: { error: 'waitFor must not exceed half of timeout' } },
})

const badId = { success: false, error: 'Invalid job ID format. Job ID must be a valid UUID.' }
const withBadId = (method: string, path: string, sent: Partial<Sent> = {}): Row => ({
  row: '0.6',
  client: suite,
  says: `${method} ${path}`,
  request: { method, path, ...sent },
  needs: { status: 400, body: badId },
})

const deprecated = (path: string, link: RegExp): Row => ({
  row: '0.8',
  client: suite,
  says: `${path} of an unknown id is deprecated`,
  request: get(`${path}/${someId}`),
  needs: {
    status: 404,
    fields: { error: 'string' },
    headers: { deprecation: /^true$/, warning: /^299 - ".+"$/, link },
  },
})

/** Formats of version 1 that extract data, with the field that each fills. */
const extractions = {
  json: { formats: ['json'], jsonOptions: { prompt: 'How many legs?', schema: legs } },
  extract: { formats: ['extract'], extract: { prompt: 'How many legs?', schema: legs } },
} as const

const extracted = (at: string, format: keyof typeof extractions) => ({
  [`${at}${format}`]: { legs: 8 },
  [`${at}llm_extraction`]: { legs: 8 },
})

const isOver = ({ status }: { readonly status?: string }) => status === 'completed'

const extractionRows = (['json', 'extract'] as const).flatMap((format): Row[] => {
  const other = format === 'json' ? 'extract' : 'json'
  const row = {
    row: '0.4',
    client: 'firecrawl 4.42 and firecrawl-js 1.29, version 1',
    chosen: 'Other specification: `llm_extraction` is a copy under the oldest name.',
  }
  const options = extractions[format]
  const started = async (bench: Bench, path: string, body: unknown): Promise<Sent> =>
    get(new URL((await bench.send(post(path, body))).body.url).pathname)
  return [
    {
      ...row,
      says: `${format} of a scrape`,
      request: postAt('/v1/scrape', (at) => ({ url: at('/good/article'), ...options })),
      needs: { status: 200, values: extracted('data.', format), fields: { [`data.${other}`]: 'absent' } },
    },
    {
      ...row,
      says: `${format} of a scrape that is read again`,
      request: async (bench) => {
        const { body } = await bench.send(post('/v1/scrape', { url: bench.at('/good/article'), ...options }))
        return get(`/v1/scrape/${body.data.metadata.scrapeId}`)
      },
      needs: { status: 200, values: extracted('data.', format), fields: { [`data.${other}`]: 'absent' } },
    },
    {
      ...row,
      says: `${format} of a crawl`,
      request: (bench) =>
        started(bench, '/v1/crawl', { url: bench.at('/good/article'), limit: 1, scrapeOptions: options }),
      until: isOver,
      needs: { status: 200, values: extracted('data.0.', format), fields: { [`data.0.${other}`]: 'absent' } },
    },
    {
      ...row,
      says: `${format} of a batch`,
      request: (bench) => started(bench, '/v1/batch/scrape', { urls: [bench.at('/good/article')], ...options }),
      until: isOver,
      needs: { status: 200, values: extracted('data.0.', format), fields: { [`data.0.${other}`]: 'absent' } },
    },
    {
      ...row,
      says: `${format} of a search`,
      request: post('/v1/search', { query: 'walks on six', limit: 1, scrapeOptions: options }),
      needs: { status: 200, values: extracted('data.0.', format), fields: { [`data.0.${other}`]: 'absent' } },
    },
  ]
})

const dictionary = (says: string, request: Row['request']): Row => ({
  row: '2',
  client: suite,
  says: `a schema-less dictionary in ${says}`,
  request,
  needs: { status: 400, values: { success: false, error: /schema-less dictionary.*OpenAI/ } },
})
const open = { type: 'object', additionalProperties: true }
const withOpen = { type: 'object', properties: { facts: { type: 'array', items: open } } }

const hinted = (says: string, request: Row['request'], words: RegExp): Row => ({
  row: '4.2',
  client: 'firecrawl 4.42, command line and MCP',
  says,
  request,
  needs: { status: 200, fields: { agent_hints: 'array' }, values: { success: true, 'agent_hints.0': words } },
})

export const apiRows: readonly Row[] = [
  hinted(
    'a page that does not exist',
    postAt('/v2/scrape', (at) => ({ url: at('/docs/old-lamp') })),
    /\(404\)\. Search for it/,
  ),
  hinted('results that are excerpts', post('/v2/search', { query: 'walks on six' }), /excerpts/),
  {
    row: '4.2',
    client: 'firecrawl 4.42',
    says: 'a page without a next step',
    request: postAt('/v2/scrape', (at) => ({ url: at('/good/article') })),
    needs: { status: 200, fields: { agent_hints: 'absent' } },
  },
  {
    row: '4.2',
    client: 'firecrawl 4.42, version 1',
    says: 'version 1 has no hints',
    request: postAt('/v1/scrape', (at) => ({ url: at('/docs/old-lamp') })),
    needs: { status: 200, fields: { agent_hints: 'absent' } },
  },
  {
    row: '5.3',
    client: 'firecrawl 4.42',
    says: 'a search in the catalogue only',
    request: post('/v2/search', { query: 'walks on six', sources: ['alexandria'] }),
    needs: { status: 200, values: { success: true, 'data.tools': [] }, fields: { 'data.web': 'absent' } },
  },
  {
    row: '0.1',
    client: suite,
    says: 'an upload URL, below data',
    request: post('/v2/parse/upload-url', {
      filename: 'a.html',
      contentType: 'text/html',
      declaredSizeBytes: page.length,
    }),
    needs: {
      status: 200,
      fields: {
        'data.uploadUrl': 'string',
        'data.uploadRef': 'string',
        'data.headers.Content-Type': 'string',
        'data.expiresAt': 'string',
        'data.maxSizeBytes': 'number',
      },
      values: { success: true, 'data.method': 'PUT' },
    },
  },
  refusedForFiles('actions', { actions: [{ type: 'wait', milliseconds: 1 }] }, /do not support actions/),
  refusedForFiles('a screenshot', { formats: ['screenshot'] }, /do not support screenshot/),
  refusedForFiles('branding', { formats: ['branding'] }, /do not support branding/),
  refusedForFiles('change tracking', { formats: ['markdown', 'changeTracking'] }, /do not support change tracking/),
  refusedForFiles('waitFor', { waitFor: 100 }, /do not support waitFor/),
  refusedForFiles('a location', { location: { country: 'DE' } }, /do not support location/),
  refusedForFiles('mobile', { mobile: true }, /do not support mobile/),
  refusedForFiles('a stealth proxy', { proxy: 'stealth' }, /proxy/),
  refusedForFiles('an enhanced proxy', { proxy: 'enhanced' }, /proxy/),
  {
    row: '0.2',
    client: suite,
    says: 'an uploaded file with rawBase64',
    request: parsed({ formats: ['rawBase64'] }),
    needs: { status: 400, values: { code: 'BAD_REQUEST' } },
  },
  {
    row: '0.2',
    client: suite,
    says: 'a form without a file',
    request: { method: 'POST', path: '/v2/parse', form: { options: '{}' } },
    needs: { status: 400, values: { code: 'BAD_REQUEST', error: /Missing file upload/ } },
  },
  {
    row: '0.2',
    client: suite,
    says: 'options that are no JSON',
    request: { method: 'POST', path: '/v2/parse', form: { file: { name: 'lamp.html', text: page }, options: '{' } },
    needs: { status: 400, values: { code: 'BAD_REQUEST', error: /Invalid JSON/ } },
  },
  halfOfTimeout('v1'),
  halfOfTimeout('v2'),
  ...extractionRows,
  {
    row: '0.5',
    client: 'firecrawl 4.42',
    says: 'highlights are one string',
    request: postAt('/v2/scrape', (at) => ({
      url: at('/good/article'),
      formats: [{ type: 'highlights', query: 'How many legs?' }],
    })),
    needs: { status: 200, fields: { 'data.highlights': 'string' } },
  },
  withBadId('GET', '/v2/scrape/none'),
  withBadId('GET', '/v1/scrape/none'),
  withBadId('GET', '/v2/crawl/none'),
  withBadId('DELETE', '/v2/crawl/none'),
  withBadId('GET', '/v2/crawl/none/errors'),
  withBadId('GET', '/v1/crawl/none'),
  withBadId('GET', '/v2/batch/scrape/none'),
  withBadId('DELETE', '/v2/batch/scrape/none'),
  withBadId('GET', '/v2/agent/none'),
  withBadId('DELETE', '/v2/agent/none'),
  withBadId('GET', '/v2/extract/none'),
  withBadId('POST', '/v2/scrape/none/interact', { body: { code: '1' } }),
  withBadId('DELETE', '/v2/scrape/none/interact'),
  ...['confirm', 'unsubscribe'].flatMap((word): Row[] => [
    {
      row: '0.7',
      client: suite,
      says: `${word} with a bad token, without a key`,
      request: { ...post(`/v2/monitor/email/${word}`, { token: 'short' }), headers: { authorization: '' } },
      needs: { status: 400, body: { success: false, error: 'invalid_token' } },
    },
    {
      row: '0.7',
      client: suite,
      says: `${word} with an unknown token, without a key`,
      request: { ...post(`/v2/monitor/email/${word}`, { token: 'a'.repeat(32) }), headers: { authorization: '' } },
      needs: { status: 404, body: { success: false, error: 'not_found' } },
    },
  ]),
  {
    row: '0.11',
    client: suite,
    says: 'a new recipient of the mails of a monitor is pending',
    request: postAt('/v2/monitor', (at) => ({
      name: 'Lamp',
      schedule: { cron: '0 * * * *' },
      targets: [{ type: 'scrape', urls: [at('/good/article')] }],
      notification: { email: { enabled: true, recipients: ['new@example.com'] } },
    })),
    needs: {
      status: 200,
      values: {
        'data.emailRecipientSubscriptions.0.email': 'new@example.com',
        'data.emailRecipientSubscriptions.0.status': 'pending',
        'data.emailRecipientSubscriptions.0.source': 'opt_in',
        'data.emailRecipientSubscriptions.0.confirmationEmailSent': false,
      },
    },
  },
  deprecated('/v1/llmstxt', /^$/),
  deprecated('/v1/deep-research', /^<\/v2\/search>; rel="successor-version"$/),
  deprecated('/v1/extract', /^<\/v2\/scrape>; rel="successor-version"$/),
  deprecated('/v2/extract', /^<\/v2\/scrape>; rel="successor-version"$/),
  {
    row: '0.8',
    client: suite,
    says: 'a started extract is deprecated, in its body as well',
    request: postAt('/v1/extract', (at) => ({ urls: [at('/good/article')], prompt: 'How many legs?', schema: legs })),
    needs: {
      status: 200,
      fields: { id: 'string', 'warnings.0': 'string' },
      values: { success: true, replacement: '/v2/scrape' },
      headers: { deprecation: /^true$/ },
    },
  },
  {
    row: '0.9',
    client: suite,
    says: 'safe is a boolean only',
    request: post('/v2/search', { query: 'walks on six', safe: 'active' }),
    needs: { status: 400, values: { success: false, error: 'Invalid request body' }, fields: { details: 'array' } },
  },
  {
    row: '0.10',
    client: suite,
    says: 'an empty prompt of a crawl is none',
    request: postAt('/v2/crawl', (at) => ({ url: at('/good/article'), limit: 1, prompt: '' })),
    needs: {
      status: 200,
      fields: { id: 'string', url: 'string', promptGeneratedOptions: 'absent' },
      values: { success: true },
    },
  },
  {
    row: '0.12',
    client: suite,
    says: 'the concurrency check counts no page while none is loading',
    request: get('/v2/concurrency-check'),
    needs: { status: 200, fields: { concurrency: 'number', maxConcurrency: 'number' }, values: { success: true } },
  },
  {
    row: '0.12',
    client: suite,
    says: 'the queue of a team',
    request: get('/v2/team/queue-status'),
    needs: {
      status: 200,
      fields: {
        jobsInQueue: 'number',
        activeJobsInQueue: 'number',
        waitingJobsInQueue: 'number',
        maxConcurrency: 'number',
      },
      values: { success: true },
    },
  },
  dictionary(
    'json',
    postAt('/v2/scrape', (at) => ({ url: at('/good/article'), formats: [{ type: 'json', schema: open }] })),
  ),
  dictionary(
    'a part of json',
    postAt('/v2/scrape', (at) => ({ url: at('/good/article'), formats: [{ type: 'json', schema: withOpen }] })),
  ),
  dictionary(
    'extract of version 1',
    postAt('/v1/scrape', (at) => ({ url: at('/good/article'), formats: ['extract'], extract: { schema: open } })),
  ),
  dictionary(
    'change tracking',
    postAt('/v2/scrape', (at) => ({
      url: at('/good/article'),
      formats: ['markdown', { type: 'changeTracking', modes: ['json'], schema: open }],
    })),
  ),
  dictionary(
    'an extract',
    postAt('/v2/extract', (at) => ({ urls: [at('/good/article')], schema: open })),
  ),
  ...['/v2/agent', '/v2/extract'].map((path): Row => ({
    row: '4',
    client: suite,
    says: `a schema that cannot be checked, on ${path}`,
    request: post(path, { prompt: 'How many legs?', urls: ['https://example.com/'], schema: { type: 'text' } }),
    needs: { status: 400, values: { success: false, code: 'BAD_REQUEST', error: /^Invalid JSON schema:/ } },
  })),
  {
    row: '4',
    client: 'firecrawl 4.42, Python 4.55',
    says: 'the newest model of agents',
    request: post('/v2/agent', { prompt: 'silence: how many legs?', model: 'spark-2' }),
    needs: {
      status: 200,
      fields: { id: 'string', threadId: 'string', threadTurn: 'number' },
      values: { success: true },
    },
  },
  {
    row: '2',
    client: suite,
    says: 'a schema whose dictionary is a reference',
    request: postAt('/v2/scrape', (at) => ({
      url: at('/good/article'),
      formats: [{ type: 'json', schema: { ...legs, $defs: { any: { type: 'object' } } } }],
    })),
    needs: { status: 200, fields: { 'data.json': 'object' } },
  },
  {
    row: '5.1',
    client: suite,
    says: 'included and excluded domains in one search',
    request: post('/v2/search', { query: 'walks', includeDomains: ['a.example'], excludeDomains: ['b.example'] }),
    needs: {
      status: 400,
      values: { success: false, error: 'Invalid request body' },
      fields: { details: 'array', code: 'absent' },
    },
  },
  {
    row: '5.1',
    client: suite,
    says: 'empty lists of domains do not count',
    request: post('/v2/search', { query: 'walks', includeDomains: ['a.example'], excludeDomains: [] }),
    needs: { status: 200, fields: { 'data.web': 'array' } },
  },
  {
    row: '6',
    client: suite,
    says: 'the running batches',
    request: async (bench) => {
      await bench.send(post('/v2/batch/scrape', { urls: [bench.at('/slow/silent')] }))
      return get('/v2/batch/scrape/active')
    },
    needs: {
      status: 200,
      fields: {
        'batches.0.id': 'string',
        'batches.0.teamId': 'string',
        'batches.0.created_at': 'string',
        'batches.0.options': 'object',
        'batches.0.options.urls': 'absent',
      },
      values: { success: true },
    },
  },
]
