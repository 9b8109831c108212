// @module-tag browser
// Site APIs on real HTTP and in a real browser.
import { setTimeout } from 'node:timers/promises'

import { createEngine } from '@harvestman/core'
import { definePlugin, definePolicy } from '@harvestman/core/plugin'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { siteApis } from '../src/index.ts'
import { itemNames, serveSites, sites, type Asked, type Served } from './sites.ts'

const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => setTimeout(ms, undefined, signal && { signal })

let served: Served
let engine: ReturnType<typeof open>

function open(plugins: Parameters<typeof createEngine>[0] = {}) {
  return createEngine({
    ...{ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser({ tabs: 1 }), defaults: { timeout: 120_000 } },
    ...plugins,
    plugins: [siteApis(), ...(plugins.plugins ?? [])] as const,
  })
}

beforeAll(async () => {
  served = await serveSites()
  engine = open()
})
afterAll(async () => {
  await engine.close()
  await served.close()
})

const scrape = async (name: string, maxPages = 1) => {
  served.take()
  const repeatPosts = sites[name]?.isPost ?? false
  const { siteApi, metadata } = await engine.scrape({
    url: `${served.origin}/${name}`,
    formats: [{ type: 'siteApi', maxPages, repeatPosts }],
  })
  return { ...siteApi, credits: metadata.creditsUsed, sent: served.take() }
}

test.each(Object.entries(sites))('%s: the list is learned, or refused with a reason', async (name, { expected }) => {
  const learned = await scrape(name)
  expect({ name, refused: learned.refused, from: learned.from }).toMatchObject({
    from: 'browser',
    refused: expected.learned ? [] : [{ reason: expect.stringMatching(/WebSocket|without signature/) }],
  })
  expect(learned.api !== undefined).toBe(expected.learned)
  const again = await scrape(name, 3)
  if (!expected.learned) return expect(again).toMatchObject({ from: 'browser', items: [], credits: 1 })
  expect(again).toMatchObject({ from: 'http', refused: [] })
  const found = again.items.map((item) => item['name'])
  expect(found).toEqual(itemNames)
  expect(again.pages).toBe(expected.paging ? 3 : 1)
  expect(again.credits).toBe(again.pages)
  const { recipe } = await engine.siteApis.get(again.api ?? '')
  expect(recipe.paging?.by).toBe(expected.paging)
  return undefined
})

test('a POST request that is not a GraphQL query is not repeated without repeatPosts', async () => {
  served.take()
  const { siteApi } = await engine.scrape(
    { url: `${served.origin}/postJson`, formats: ['siteApi'] },
    { team: 'careful' },
  )
  expect(siteApi).toMatchObject({ items: [], refused: [{ reason: expect.stringContaining('set repeatPosts: true') }] })
  expect(served.take().filter((sent) => sent.startsWith('POST'))).toHaveLength(1)
})

test('a recipe runs without the page and without a browser, and sends fewer requests', async () => {
  await scrape('rest')
  expect(await scrape('rest')).toMatchObject({ from: 'http', sent: ['GET /rest/api'], requests: 1, savedRequests: 1 })
})

test('a query parameter of the page is a parameter of the recipe', async () => {
  const names = (items: readonly object[]) => items.map((item) => 'name' in item && item.name)
  await scrape('search?q=cobalt')
  const other = await scrape('search?q=amber')
  expect(other).toMatchObject({ from: 'http', sent: ['GET /search/api?query=amber'] })
  expect(names(other.items)).toEqual(['amber floor lamp', 'amber table lamp'])
})

test('when the response has changed, the page is opened again and a new recipe is learned', async () => {
  const { api } = await scrape('rest')
  served.change('rest', () => ({ body: itemNames.map((name) => ({ name, price: { euros: 1 } })) }))
  try {
    const again = await scrape('rest')
    expect(again).toMatchObject({
      from: 'browser',
      reason: expect.stringContaining('An item has changed'),
      refused: [],
    })
    expect(again.api).not.toBe(api)
    expect(await scrape('rest')).toMatchObject({ from: 'http', api: again.api })
  } finally {
    served.change('rest', undefined)
  }
})

test('a recipe that fails and cannot be learned again stays, is not run for a while, and works again later', async () => {
  let late = 0
  const own = open({ clock: { now: () => Date.now() + late, sleep } })
  try {
    const visit = async () => {
      served.take()
      const { siteApi } = await own.scrape({ url: `${served.origin}/rest`, formats: ['siteApi'] })
      return { ...siteApi, sent: served.take() }
    }
    const { api = '' } = await visit()
    served.change('rest', () => ({ status: 404, body: {} }))
    expect(await visit()).toMatchObject({ from: 'browser', items: [], api, reason: 'The response has status 404.' })
    expect((await own.siteApis.get(api)).failing).toMatchObject({ reason: 'The response has status 404.', failures: 1 })
    const again = await visit()
    expect(again).toMatchObject({ api, reason: expect.stringMatching(/^The recipe fails, .*status 404/), refused: [] })
    expect(again.sent).toEqual(['GET /rest', 'GET /rest/api'])
    late += 61_000
    await visit()
    expect((await own.siteApis.get(api)).failing).toMatchObject({ failures: 2 })
    served.change('rest', undefined)
    late += 121_000
    expect(await visit()).toMatchObject({ from: 'http', api })
    expect((await own.siteApis.get(api)).failing).toBeUndefined()
  } finally {
    served.change('rest', undefined)
    await own.close()
  }
})

test.each([408, 429, 500, 503])(
  'a recipe that fails with status %i is neither deleted nor replaced',
  async (status) => {
    const { api } = await scrape('rest')
    // Browsers send this header, and recipes do not.
    const isBrowser = ({ request }: Asked) => request.headers['sec-fetch-mode'] !== undefined
    const changed = itemNames.map((name) => ({ name, price: { euros: 1 } }))
    served.change('rest', (asked) => (isBrowser(asked) ? { body: changed } : { status, body: {} }))
    try {
      const { sent, ...again } = await scrape('rest')
      expect(again).toMatchObject({
        ...{ from: 'browser', api, refused: [], pages: 1, items: changed },
        reason: `The response has status ${status}.`,
      })
      expect(sent).toEqual(['GET /rest/api', 'GET /rest', 'GET /rest/api'])
    } finally {
      served.change('rest', undefined)
    }
    expect(await scrape('rest')).toMatchObject({ from: 'http', api })
  },
)

test('a recipe of a host that closes the connection is neither deleted nor replaced', async () => {
  const { api } = await scrape('rest')
  served.change('rest', ({ request }) => {
    request.socket.destroy()
    return { body: [] }
  })
  try {
    expect(await scrape('rest')).toMatchObject({ from: 'browser', items: [], api })
  } finally {
    served.change('rest', undefined)
  }
  expect(await scrape('rest')).toMatchObject({ from: 'http', api })
})

test('robots.txt applies to the requests of recipes', async () => {
  served.setRobots('User-agent: *\nDisallow: /rest/api')
  const careful = open()
  try {
    const url = `${served.origin}/rest`
    const { siteApi } = await careful.scrape({ url, formats: ['siteApi'] })
    expect(siteApi).toMatchObject({ items: [], refused: [{ reason: expect.stringContaining('robots.txt') }] })
  } finally {
    served.setRobots('')
    await careful.close()
  }
})

test('a policy that denies the API denies learning, and fails a run', async () => {
  let isDenied = true
  const policy = definePolicy({
    name: 'no-api',
    may: (question) => !isDenied || question.is !== 'url' || !question.url.pathname.endsWith('/api') || 'No APIs.',
  })
  const strict = open({ plugins: [definePlugin({ name: 'strict', policies: [policy] })] })
  try {
    const request = { url: `${served.origin}/number`, formats: ['siteApi'] } as const
    expect((await strict.scrape(request)).siteApi.refused).toMatchObject([
      { reason: expect.stringContaining('No APIs.') },
    ])
    isDenied = false
    expect((await strict.scrape(request)).siteApi.refused).toEqual([])
    isDenied = true
    served.take()
    await expect(strict.scrape(request)).rejects.toMatchObject({ code: 'policy_denied' })
    expect(served.take()).toEqual([])
  } finally {
    await strict.close()
  }
})

test('another team neither sees nor runs the recipes of a team', async () => {
  await scrape('rest')
  expect(await engine.siteApis.list({}, { team: 'other' })).toEqual({ data: [] })
  const { siteApi } = await engine.scrape({ url: `${served.origin}/rest`, formats: ['siteApi'] }, { team: 'other' })
  expect(siteApi.from).toBe('browser')
})

test('recipes contain no token that a host has issued', async () => {
  for (const name of ['pageToken', 'callToken', 'csrf']) await scrape(name)
  const { data } = await engine.siteApis.list()
  expect(data).toEqual(data.map(() => expect.not.objectContaining({ recipe: expect.anything() })))
  const apis = await Promise.all(data.map(({ id }) => engine.siteApis.get(id)))
  expect(apis.filter(({ recipe }) => recipe.tokens.length > 0)).toHaveLength(3)
  expect(JSON.stringify(apis)).not.toMatch(/t0[0-9a-f]{24}/)
})

test('nothing is learned from a scrape with headers, because they may be secret', async () => {
  const headers = { authorization: 'Bearer own' }
  const { siteApi } = await engine.scrape({ url: `${served.origin}/rest`, formats: ['siteApi'], headers })
  expect(siteApi).toMatchObject({ items: [], refused: [{ reason: expect.stringContaining('no secrets') }] })
})

test('a page that redirects is requested at its URL after the redirect', async () => {
  expect(await scrape('moved')).toMatchObject({ from: 'browser', refused: [] })
  const again = await scrape('moved')
  expect(again).toMatchObject({ from: 'http', sent: ['GET /moved/lamps?kind=lamps', 'GET /moved/api'] })
  expect(again.items.map((item) => item['name'])).toEqual(itemNames)
})

test('a response with an unknown charset is refused', async () => {
  await scrape('rest')
  served.change('rest', () => ({ headers: { 'content-type': 'application/json; charset=lamps' }, body: [] }))
  try {
    expect(await scrape('rest')).toMatchObject({
      ...{ from: 'browser', items: [] },
      reason: expect.stringContaining('the unknown charset lamps'),
    })
  } finally {
    served.change('rest', undefined)
    for (const { id } of (await engine.siteApis.list()).data) await engine.siteApis.delete(id)
  }
})

test.each([
  [{ country: 'DE' }, false],
  [{ languages: ['fr'] }, false],
  [{ country: 'US' }, true],
])('a recipe is run and learned for the default location only: %j', async (location, isRun) => {
  const { api } = await scrape('rest')
  const { siteApi } = await engine.scrape({ url: `${served.origin}/rest`, formats: ['siteApi'], location })
  expect(siteApi).toMatchObject(
    isRun ? { from: 'http', api } : { items: [], refused: [{ reason: expect.stringContaining('Remove location') }] },
  )
})

test('other scrapes of the page still return the page', async () => {
  await scrape('rest')
  const { html } = await engine.scrape({ url: `${served.origin}/rest`, formats: ['html'], maxAge: 60_000 })
  expect(html).toContain('id="list"')
})
