import { createEngine, type EngineOptions } from '@harvestman/core'
import { scriptedSearch, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const hit = (url: string) => ({ url, title: 'Its title', description: 'Its words' })

async function bench(options: EngineOptions) {
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8', '::1/128'], ...options })
  const api = createApi(engine)
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await api(
      new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { post, [Symbol.asyncDispose]: () => engine.close() }
}

describe('Version 2', () => {
  test('groups results by source, with only those that were asked for', async () => {
    const web = [hit('https://a.example/')]
    const images = [
      { ...hit('https://a.example/'), imageUrl: 'https://a.example/i.png', imageWidth: 2, imageHeight: 1 },
    ]
    await using server = await bench({ search: scriptedSearch({ web, images }) })
    const { status, body } = await server.post('/v2/search', {
      query: 'x',
      sources: ['web', { type: 'images' }],
      origin: 'js-sdk@4',
      integration: null,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        web: [{ url: 'https://a.example/', title: 'Its title', description: 'Its words', position: 1 }],
        images: [
          {
            title: 'Its title',
            imageUrl: 'https://a.example/i.png',
            imageWidth: 2,
            imageHeight: 1,
            url: 'https://a.example/',
            position: 1,
          },
        ],
      },
      id: expect.any(String),
      creditsUsed: 2,
      agent_hints: [expect.stringContaining('excerpts')],
    })
  })

  test('puts the content of the page into its result', async () => {
    await using server = await bench({
      search: scriptedSearch({ web: [hit(`${site.url}/`), hit('http://127.0.0.1:1/')] }),
    })
    const { body } = await server.post('/v2/search', { query: 'x', scrapeOptions: { formats: ['markdown', 'links'] } })
    expect(body).toMatchObject({
      data: {
        web: [
          { title: 'Its title', markdown: expect.any(String), links: expect.any(Array), metadata: { statusCode: 200 } },
          { title: 'Its title', position: 2 },
        ],
      },
      creditsUsed: 3,
      warning: expect.stringContaining('1 of 2 pages'),
    })
  })

  test('gives the ids of pages that are scraped later', async () => {
    await using server = await bench({ search: scriptedSearch({ web: [hit(`${site.url}/`)] }) })
    const { body } = await server.post('/v2/search', {
      query: 'x',
      asyncScraping: true,
      scrapeOptions: { formats: ['markdown'] },
    })
    expect(body).toMatchObject({ scrapeIds: { web: [expect.stringMatching(/^[\da-f-]{36}$/)] }, creditsUsed: 2 })
  })

  test('refuses what cannot be meant, in the words of the public API', async () => {
    await using server = await bench({ search: scriptedSearch({ web: [] }) })
    const refusal = async (body: object) => {
      const { status, body: refused } = await server.post('/v2/search', body)
      const { details, ...rest } = refused
      expect({ status, rest }).toEqual({ status: 400, rest: { success: false, error: 'Invalid request body' } })
      return JSON.stringify(details)
    }
    expect(await refusal({ query: 'x', nonsense: 1 })).toContain('nonsense is not a known key')
    expect(await refusal({})).toContain('query is required')
    expect(await refusal({ query: 'x', includeDomains: ['a.example'], excludeDomains: ['b.example'] })).toContain(
      'excludeDomains',
    )
    expect(await refusal({ query: 'x', limit: 101 })).toContain('limit')
  })

  test('is too late with 408, and busy or broken with 503 and 502', async () => {
    await using slow = await bench({ search: scriptedSearch({ web: 'silence' }) })
    expect(await slow.post('/v2/search', { query: 'x', timeout: 30 })).toMatchObject({
      status: 408,
      body: { success: false, code: 'SEARCH_TIMEOUT' },
    })
    await using broken = await bench({ search: scriptedSearch({ web: new Error('secret address') }) })
    const { status, body } = await broken.post('/v2/search', { query: 'x' })
    expect([status, body['code']]).toEqual([502, 'SEARCH_FAILED'])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('without anything to search is 503, and names what is missing', async () => {
    await using server = await bench({})
    for (const version of ['v1', 'v2'])
      expect(await server.post(`/${version}/search`, { query: 'x' })).toMatchObject({
        status: 503,
        body: { code: 'NOT_CONFIGURED', details: { port: 'search' } },
      })
  })
})

describe('Version 1', () => {
  test('gives a flat list, five results when nothing is said', async () => {
    const search = scriptedSearch({ web: Array.from({ length: 9 }, (_, at) => hit(`https://a.example/${at}`)) })
    await using server = await bench({ search })
    const { body } = await server.post('/v1/search', {
      query: 'x',
      lang: 'en',
      country: 'us',
      timeout: 60_000,
      origin: 'js-sdk@1',
      scrapeOptions: { formats: [] },
    })
    expect(body).toMatchObject({
      success: true,
      data: { length: 5, 0: { url: 'https://a.example/0', title: 'Its title' } },
    })
    expect(Array.isArray(body['data'])).toBe(true)
    expect(search.queries[0]).toMatchObject({ limit: 5, language: 'en', country: 'US' })
  })

  test('says pages in its own words', async () => {
    await using server = await bench({ search: scriptedSearch({ web: [hit(`${site.url}/`)] }) })
    const page = { formats: ['markdown', 'screenshot@fullPage'], geolocation: { country: 'DE' } }
    expect(
      (await server.post('/v1/search', { query: 'x', scrapeOptions: { formats: ['markdown'] } })).body,
    ).toMatchObject({
      data: [{ markdown: expect.any(String), metadata: { statusCode: 200 } }],
    })
    expect((await server.post('/v1/search', { query: 'x', scrapeOptions: page })).status).toBe(400)
    expect((await server.post('/v1/search', { query: 'x', sources: ['web'] })).status).toBe(400)
  })
})
