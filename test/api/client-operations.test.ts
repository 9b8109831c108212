// Our own typed client beside the description of the API: what the one can be asked, the other can ask.
import { answers } from '@harvestman/answers'
import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { hosting } from '@harvestman/hosting'
import { createApi } from '@harvestman/http'
import { live } from '@harvestman/live'
import { afterAll, expect, test } from 'vitest'

import { servedPlugins } from './served-plugins.ts'

const engine = createEngine({
  plugins: [answers, hosting(), live(), ...servedPlugins()],
})
const api = createApi(engine)
afterAll(() => engine.close())

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly deprecated?: boolean }>>>>
}

const id = '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11'

/** What is the same as another operation, or is not for programs with a key. */
const others: readonly (readonly [operation: RegExp, reason: string])[] = [
  [/ \/v1\//, 'the same in the words of version 1'],
  [/ \/v2\/interact\b/, 'the same as /v2/browser'],
  [/ \/v2\/crawl\/ongoing$/, 'the same as /v2/crawl/active'],
  [/ \/v2\/agent$/, 'the same as /v2/jobs with a kind'],
  [/ \/v2\/agent\/\{\w+\}\/(?:trace|snapshots)\b/, 'made from the status of the agent, which the client has'],
  [/ \/v2\/batch\/scrape\/active$/, 'the same as /v2/jobs with a kind and a status'],
  [/ \/(?:cdp|live)\//, 'addresses for browsers, which a live browser has'],
  [
    / \/(?:$|openapi|health|e2e-test|is-production|metrics|v0\/)/,
    'for the operator and for programs that watch servers',
  ],
  [/ \/admin\//, 'for the operator, who has another key'],
]

async function operations(): Promise<readonly string[]> {
  const described = await api(new Request('http://localhost/openapi.json'))
  const { paths } = (await described.json()) as Description
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { deprecated }]) => deprecated !== true)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
}

/** The kinds of jobs of plugins, as the server tells of them. */
async function listedKinds(): Promise<readonly string[]> {
  const listed = await api(new Request('http://localhost/v2/kinds'))
  return ((await listed.json()) as { kinds: readonly { kind: string }[] }).kinds.map(({ kind }) => kind)
}

/** A call of each method that a job has, up to the first thing that it gives. */
function methodsOf(job: object): readonly (() => Promise<unknown>)[] {
  return Object.entries(job).flatMap(([, method]: [string, unknown]) =>
    typeof method !== 'function'
      ? []
      : [
          async () => {
            const given = await (method as () => object | Promise<object>)()
            return Symbol.asyncIterator in given ? (given as AsyncGenerator).next() : given
          },
        ],
  )
}

/** Calls each method of a client, of its parts and of its jobs, and says what the server was asked. */
async function askedByClient(): Promise<readonly string[]> {
  const kinds = await listedKinds()
  const asked: string[] = []
  const fetch = (async (input: string, init: RequestInit) => {
    const { pathname } = new URL(input)
    asked.push(`${init.method ?? 'GET'} ${pathname}`)
    if (pathname.endsWith('/events')) return new Response(null, { status: 204 })
    if (pathname.endsWith('/upload-url')) return Response.json({ success: true, uploadUrl: `/v2/parse/upload/${id}` })
    return Response.json({
      success: true,
      id,
      data: [],
      status: 'completed',
      jobs: [],
      kinds: [],
      features: [],
      sessions: [],
      crawls: [],
      rows: [],
    })
  }) as typeof globalThis.fetch
  const client = createClient<typeof engine>({ url: 'http://localhost', fetch })
  const anyClient = createClient({ url: 'http://localhost', fetch })
  const { browsers, changes, chunks, datasets, extractors, monitors, profiles, team } = client
  const url = 'https://example.com/'
  const crawl = await client.crawl({ url })
  const batch = await client.batch({ urls: [url] })
  const jobs = [crawl, batch, ...kinds.map((kind) => anyClient.find(kind, id))].flatMap(methodsOf)
  const calls: readonly (() => Promise<unknown>)[] = [
    ...jobs,
    () => client.start('extract', { urls: [url], prompt: 'The price' }),
    () => client.start('agent', { prompt: 'The price' }),
    () => client.start('deep_research', { query: 'The price' }),
    () => client.start('llmstxt', { url }),
    () => client.start('verify', { citations: [{ url, quote: 'A lamp.', start: 0, end: 7 }] }),
    () => client.scrape({ url }),
    () => client.findScrape(id),
    () => client.parse(new Uint8Array(1)),
    () => client.upload(new Uint8Array(1), { name: 'a.pdf' }),
    () => client.parseFormats(),
    () => client.file(`http://localhost/v2/files/${id}`),
    () => client.map({ url }),
    () => client.search({ query: 'a' }),
    () => client.planCrawl({ url, prompt: 'The documentation' }),
    () => client.findThread('agent', id),
    () => client.kinds(),
    () => client.jobs().next(),
    () => client.findJob(id),
    () => client.runningCrawls(),
    () => browsers.open(),
    () => browsers.list(),
    () => browsers.get(id),
    () => browsers.execute(id, { code: '1' }),
    () => client.replays.list(id),
    () => client.replays.playlist(id, '0'),
    () => browsers.share(id, { ttl: 60 }),
    () => browsers.shares(id),
    () => browsers.endShare(id, id),
    () => browsers.tools(id),
    () => browsers.callTool(id, { name: 'add_to_cart' }),
    () => browsers.close(id),
    () => browsers.interact(id, { code: '1' }),
    () => browsers.stopInteraction(id),
    () => profiles.list(),
    () => profiles.import('shop', { state: [] }),
    () => profiles.export('shop'),
    () => profiles.delete('shop'),
    () => changes.list(),
    () => changes.history({ url }),
    () => changes.diff({ url }),
    () => client.people.list(),
    () => client.people.get(id),
    () => client.people.ask({ url, profile: 'shop' }),
    () => client.people.finish(id),
    () => client.people.page('open', `${id}.${'a'.repeat(43)}`),
    () => client.people.act('open', `${id}.${'a'.repeat(43)}`),
    () => monitors.create({ name: 'a', schedule: { every: 3_600 }, targets: [{ type: 'scrape', urls: [url] }] }),
    () => monitors.list(),
    () => monitors.get(id),
    () => monitors.update(id, { status: 'paused' }),
    () => monitors.feed('a'.repeat(32), 'rss'),
    () => monitors.confirmEmail({ token: 'a'.repeat(43) }),
    () => monitors.unsubscribeEmail({ token: 'a'.repeat(43) }),
    () => monitors.emailPage('confirm', 'a'.repeat(43)),
    () => monitors.answerEmailPage('confirm', 'a'.repeat(43)),
    () => monitors.delete(id),
    () => monitors.run(id),
    () => monitors.checks(id),
    () => monitors.check(id, id),
    () => chunks.changes(id),
    () => datasets.create({ name: 'shop' }),
    () => datasets.list(),
    () => datasets.get('shop'),
    () => datasets.delete('shop'),
    () => datasets.put('shop', { rows: [] }),
    () => datasets.collect('shop', { job: id, from: 'json' }),
    () => datasets.rows('shop'),
    () => datasets.row('shop', 'one'),
    () => datasets.deleteRow('shop', 'one'),
    () => datasets.query('shop', { sql: 'SELECT 1' }),
    () => datasets.export('shop', { format: 'csv' }),
    () => client.scripts.record({ session: id }),
    () => client.scripts.save({ name: 'sign-up', session: id }),
    () => client.scripts.list(),
    () => client.scripts.get('sign-up'),
    () => client.scripts.history('sign-up'),
    () => client.scripts.run('sign-up'),
    () => client.scripts.delete('sign-up'),
    () => client.features(),
    () => client.records.get(id),
    () => client.records.delete(id),
    () => client.siteApis.list(),
    () => client.siteApis.get('example.com~1'),
    () => client.siteApis.delete('example.com~1'),
    () => client.siteApis.learnFromBrowser(id),
    () => client.siteApis.learnFromRecord(id, { shown: 'Amber lamp' }),
    () => client.siteApis.learnFromFile({ file: '{}', shown: 'Amber lamp' }),
    () => extractors.list(),
    () => extractors.get('example.com.1'),
    () => extractors.edit('example.com.1', { program: {} as never }),
    () => extractors.delete('example.com.1'),
    () => extractors.versions('example.com.1'),
    () => team.preview({ kind: 'crawl', request: { url } }),
    () => team.usage(),
    () => team.usageByPeriod(),
    () => team.tokenUsage(),
    () => team.tokenUsageByPeriod(),
    () => team.threatProtection(),
    () => team.setThreatProtection({ mode: 'off' }),
    () => team.queue(),
    () => team.concurrency(),
    () => client.feedback.submit({ endpoint: 'scrape', jobId: id, rating: 'good' }),
    () => client.feedback.submitForSearch(id, { rating: 'good' }),
    () => client.feedback.list(),
    () => client.activity.list(),
    () => client.activity.byHour(),
    () => client.activity.costs(),
  ]
  // The answers are made up: only the addresses matter.
  for (const call of calls) await call().catch(() => undefined)
  return asked
}

function isAsked(operation: string, asked: readonly string[]): boolean {
  const pattern = new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return asked.some((one) => pattern.test(one))
}

test('each operation of the API has a method of the client, or a reason why it has none', async () => {
  const [described, asked] = [await operations(), await askedByClient()]
  expect(described.length).toBeGreaterThan(80)
  const missing = described.filter((operation) => !isAsked(operation, asked))
  expect(missing.filter((operation) => !others.some(([without]) => without.test(operation)))).toEqual([])
  // A reason that nothing needs is out of date.
  expect(others.filter(([without]) => !missing.some((operation) => without.test(operation)))).toEqual([])
})

test('the client asks for nothing that the API does not have, and cancels jobs of each kind', async () => {
  const [described, asked] = [await operations(), await askedByClient()]
  expect(asked.filter((one) => !described.some((operation) => isAsked(operation, [one])))).toEqual([])
  const kinds = await listedKinds()
  expect(kinds).toEqual(expect.arrayContaining(['extract', 'agent', 'deep_research', 'llmstxt']))
  expect(asked).toEqual(expect.arrayContaining(kinds.map((kind) => `DELETE /v2/${kind.replaceAll('_', '-')}/${id}`)))
})
