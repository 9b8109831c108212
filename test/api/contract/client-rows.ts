// Differences that official clients of the public API meet: Python 4.55, Go 1.12, Rust 2.16, Java 1.15, Ruby, PHP and npm 4.42.
import type { Bench, Row, Sent } from './row.ts'

const page = '<title>Lamp</title><main><h1>Lamp</h1><p>It costs EUR 12.</p></main>'
const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body })
const get = (path: string): Sent => ({ method: 'GET', path })
const postAt =
  (path: string, body: (at: Bench['at']) => unknown) =>
  ({ at }: Bench) =>
    post(path, body(at))
const scrape = (more: object) => postAt('/v2/scrape', (at) => ({ url: at('/good/article'), ...more }))
const parsed = (options: object): Sent => ({
  method: 'POST',
  path: '/v2/parse',
  form: { file: { name: 'lamp.html', text: page }, options: JSON.stringify(options) },
})

const allClients = 'Python, Go, Rust, Java, Ruby, PHP, npm'

const withNull = (path: string): Row => ({
  row: '0b.1',
  client: allClients,
  says: `a body of null on ${path}`,
  request: post(path, null),
  needs: { status: 400, values: { success: false }, fields: { error: 'string' } },
})

const usage = (path: string, field: string): Row => ({
  row: '0b.4',
  client: 'Python raises on null; Go, Java, PHP and npm read 0',
  says: `${field} without a limit`,
  request: get(path),
  needs: { status: 200, fields: { [`data.${field}`]: 'number' } },
})

const unsetOption = (says: string, option: object): Row => ({
  row: '0b.7',
  client: 'Python 4.55 sends both with every typed JSON format',
  says,
  request: scrape({ formats: [{ type: 'json', schema: { type: 'object', properties: { legs: {} } }, ...option }] }),
  needs: { status: 200, fields: { 'data.json': 'object' } },
})

const vendorIndex = (path: string): Row => ({
  row: '0b.9',
  client: 'Python 4.55, npm 4.42',
  says: `${path} answers like its siblings`,
  request: get(path),
  needs: { status: 501, values: { success: false, code: 'NOT_SUPPORTED' }, fields: { error: 'string' } },
})

/** An agent that is stopped before the model has answered. */
const cancelledAgent = async (bench: Bench): Promise<string> => {
  const { body } = await bench.send(post('/v2/agent', { prompt: 'silence: how many legs?' }))
  await bench.send({ method: 'DELETE', path: `/v2/agent/${body.id}` })
  return body.id
}

const isFailed = ({ status }: { readonly status?: string }) => status === 'failed'

export const clientRows: readonly Row[] = [
  withNull('/v2/scrape'),
  withNull('/v2/monitor'),
  withNull('/v2/crawl'),
  withNull('/v2/batch/scrape'),
  withNull('/v2/map'),
  withNull('/v2/search'),
  withNull('/v2/extract'),
  withNull('/v2/agent'),
  withNull('/v1/scrape'),
  {
    row: '0b.2',
    client: 'Python: every parse(…, options=…)',
    says: 'options of a file that are off',
    request: parsed({ mobile: false, waitFor: 0, actions: [], formats: ['markdown'] }),
    needs: { status: 200, fields: { 'data.markdown': 'string', 'data.metadata': 'object' } },
  },
  {
    row: '0b.3',
    client: 'Python: get_agent_status, firecrawl-cli: agent --status',
    says: 'a cancelled agent reads failed',
    request: async (bench) => get(`/v2/agent/${await cancelledAgent(bench)}`),
    until: isFailed,
    needs: {
      status: 200,
      fields: { error: 'string', creditsUsed: 'number', expiresAt: 'string' },
      values: { success: true, status: 'failed' },
    },
  },
  {
    row: '0b.3',
    client: 'Python: list_agents',
    says: 'a cancelled agent reads failed in the list',
    request: async (bench) => {
      const id = await cancelledAgent(bench)
      await bench.poll(get(`/v2/agent/${id}`), isFailed)
      return get('/v2/agent')
    },
    needs: {
      status: 200,
      fields: { agents: 'array', 'agents.0.id': 'string', 'agents.0.createdAt': 'string' },
      values: { success: true, 'agents.0.status': 'failed' },
    },
  },
  usage('/v2/team/credit-usage', 'remainingCredits'),
  usage('/v2/team/credit-usage', 'planCredits'),
  usage('/v2/team/token-usage', 'remainingTokens'),
  usage('/v2/team/token-usage', 'planTokens'),
  usage('/v1/team/credit-usage', 'remaining_credits'),
  usage('/v1/team/token-usage', 'remaining_tokens'),
  {
    row: '0b.5',
    client: 'Python, Go, Rust, Java fail on a list',
    says: 'highlights are one string',
    request: scrape({ formats: [{ type: 'highlights', query: 'How many legs?' }] }),
    needs: { status: 200, values: { 'data.highlights': 'but it walks on six' } },
  },
  {
    row: '0b.6',
    client: 'Python, version 1',
    says: 'the diff of change tracking',
    chosen:
      'Other specification: the diff is text in version 1. `v1: { changeTrackingDiff: "object" }` returns the object.',
    request: async (bench) => {
      const request = post('/v1/scrape', {
        url: bench.at('/changing?name=contract'),
        formats: ['markdown', 'changeTracking'],
        changeTrackingOptions: { modes: ['git-diff'] },
      })
      await bench.send(request)
      return request
    },
    needs: {
      status: 200,
      fields: { 'data.changeTracking.diff': 'string', 'data.changeTracking.changeStatus': 'string' },
    },
  },
  unsetOption('checkPromptInjection: null', { checkPromptInjection: null }),
  unsetOption('checkPromptInjection: false', { checkPromptInjection: false }),
  unsetOption('prompt: null', { prompt: null }),
  {
    row: '0b.8',
    client: 'npm 4.42, Python 4.55',
    says: 'a list of parsers with image, as in the default of the client',
    request: scrape({ parsers: ['pdf', 'image'] }),
    needs: { status: 200, fields: { 'data.markdown': 'string' } },
  },
  {
    row: '0b.8',
    client: 'Python 4.55, Java 1.15',
    says: 'the formats that can be parsed',
    request: get('/v2/parse/formats'),
    needs: {
      status: 200,
      fields: {
        'data.formats.0.format': 'string',
        'data.formats.0.kind': 'string',
        'data.formats.0.extensions': 'array',
        'data.formats.0.mimeTypes': 'array',
        'data.formats.0.available': 'boolean',
      },
      values: { success: true },
      headers: { 'cache-control': /^private, max-age=3600$/ },
    },
  },
  vendorIndex('/v2/search/gov'),
  vendorIndex('/v2/search/research/github'),
  vendorIndex('/v2/search/developer'),
  {
    row: '0b.9',
    client: 'Python 4.55',
    says: 'the category gov of a search',
    request: post('/v2/search', { query: 'walks on six', categories: ['gov'] }),
    needs: { status: 200, fields: { 'data.web': 'array' } },
  },
  {
    row: '0b.11',
    client: 'Python, Java',
    says: 'the estimate of an hourly monitor of one page',
    request: postAt('/v2/monitor', (at) => ({
      name: 'Lamp',
      schedule: { cron: '0 * * * *' },
      targets: [{ type: 'scrape', urls: [at('/good/article')] }],
    })),
    needs: { status: 200, fields: { 'data.id': 'string' }, values: { 'data.estimatedCreditsPerMonth': 720 } },
  },
  {
    row: '0b.12',
    client: 'Python, asynchronous',
    says: 'the errors of a batch',
    request: async (bench) => {
      const { body } = await bench.send(post('/v2/batch/scrape', { urls: [bench.at('/good/article')] }))
      return get(`/v2/batch/scrape/${body.id}/errors`)
    },
    needs: { status: 200, fields: { errors: 'array', robotsBlocked: 'array' }, values: { success: true } },
  },
  {
    row: '0b.13',
    client: 'Go, Rust',
    says: 'a delay of 0',
    request: postAt('/v2/crawl', (at) => ({ url: at('/good/article'), delay: 0 })),
    needs: { status: 400, values: { 'details.0.message': 'delay must be more than 0, but is 0.' } },
  },
  {
    row: '0b.14',
    client: 'Rust: full_page of an action',
    says: 'a screenshot of the whole page',
    request: scrape({ actions: [{ type: 'screenshot', full_page: true }] }),
    needs: { status: 200, fields: { 'data.actions.screenshots.0': 'string' } },
  },
  ...['/v2/crawl/active', '/v2/crawl/ongoing', '/v2/batch/scrape/active'].map((path): Row => ({
    row: '0b.http',
    client: 'schemathesis',
    says: `${path} with a wrong method`,
    request: { method: 'DELETE', path },
    needs: { status: 405, values: { code: 'METHOD_NOT_ALLOWED' }, headers: { allow: /^GET, HEAD$/ } },
  })),
  {
    row: '0b.http',
    client: 'schemathesis',
    says: '/v2/crawl/params-preview with a wrong method',
    request: get('/v2/crawl/params-preview'),
    needs: { status: 405, values: { code: 'METHOD_NOT_ALLOWED' }, headers: { allow: /^POST$/ } },
  },
  {
    row: '0b.http',
    client: 'schemathesis',
    says: 'a script with the name of an endpoint',
    request: post('/v2/scripts', { name: 'record', script: { steps: [] } }),
    needs: { status: 400, values: { code: 'BAD_REQUEST', 'details.0.path': ['name'] } },
  },
  ...['/v2/scrape', '/v2/map', '/v2/crawl', '/v2/batch/scrape', '/v2/agent'].map((path): Row => ({
    row: '0b.http',
    client: 'schemathesis',
    says: `an option that is not offered, on ${path}`,
    request: postAt(path, (at) => ({
      url: at('/good/article'),
      urls: [at('/good/article')],
      safeMode: true,
    })),
    needs: { status: 400, values: { code: 'NOT_CONFIGURED' } },
  })),
  ...['/v2/monitor', '/v2/datasets', '/v2/scripts'].map((path): Row => ({
    row: '0b.http',
    client: 'schemathesis',
    says: `an option of pages is an unknown key on ${path}`,
    request: post(path, { name: 'lamp', safeMode: true }),
    needs: { status: 400, values: { code: 'BAD_REQUEST', error: /^Unrecognized key in body/ } },
  })),
  {
    row: '5.3',
    client: 'firecrawl-mcp 3.26.0: firecrawl_find_tools',
    says: 'a call of a data provider of the vendor',
    request: post('/v2/scrape', { alexandria: { provider: 'firecrawl', capability: 'find-tools', options: {} } }),
    needs: { status: 400, values: { success: false, code: 'NOT_CONFIGURED', error: /^alexandria / } },
  },
]
