// What endpoints declare about their HTTP responses.
import { createEngine, EngineError } from '@harvestman/core'
import { defineFeature, defineGate, definePlugin } from '@harvestman/core/plugin'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'

import { createApi } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'

const lamp = z.object({ id: z.string(), name: z.string(), next: z.string().optional() })
const params = { id: z.string().regex(/^\d$/) }

const lamps = defineFeature({
  name: 'lamps',
  invalidId: 'Invalid lamp ID',
  open: () => ({}),
  endpoints: (endpoint) => ({
    get: endpoint({
      method: 'GET',
      path: '/v2/lamps/{id}',
      summary: 'Returns a lamp.',
      params,
      output: lamp,
      topLevel: ['id', 'next'],
      run: (_, { params: { id }, apiUrl = '' }) => ({ id, name: 'Lamp', next: `${apiUrl}/v2/lamps/2` }),
    }),
    last: endpoint({
      method: 'GET',
      path: '/v2/last-lamp',
      summary: 'Returns the last lamp.',
      output: lamp,
      topLevel: ['next'],
      run: () => ({ id: '9', name: 'Lamp' }),
    }),
    all: endpoint({
      method: 'GET',
      path: '/v2/all-lamps',
      aliases: ['/v1/all-lamps'],
      summary: 'Lists the lamps.',
      input: z.object({ limit: z.int().catch(2).optional() }),
      output: z.array(lamp),
      property: 'lamps',
      rate: 'lamps',
      run: (_, { input: { limit = 1 } }) =>
        Array.from({ length: limit }, (_, index) => ({ id: `${index}`, name: 'Lamp' })),
    }),
    test: endpoint({
      method: 'POST',
      path: '/v2/lamps/{id}/test',
      summary: 'Tests a lamp.',
      params,
      output: z.object({ success: z.boolean(), volts: z.number() }),
      isFlat: true,
      messages: { not_found: 'No such lamp to test.', forbidden: 'Hands off.' },
      run: (_, { params: { id } }) => {
        if (id === '0') throw new EngineError('not_found', 'Nothing.')
        if (id === '1') throw new EngineError('forbidden', 'No.')
        return { success: false, volts: 3 }
      },
    }),
    describe: endpoint({
      method: 'POST',
      path: '/v2/lamp-description',
      summary: 'Stores a description.',
      input: z.object({ text: z.string(), title: z.string().optional() }),
      maxTextBytes: { text: 2_000_000 },
      output: z.number(),
      run: (_, { input: { text } }) => text.length,
    }),
    heat: endpoint({
      method: 'POST',
      path: '/v2/lamps/{id}/heat',
      summary: 'Heats a lamp.',
      needs: ['oven'],
      run: () => undefined,
    }),
    open: endpoint({
      method: 'GET',
      path: '/v2/open-lamps/{secret}',
      summary: 'Returns a lamp to everybody with its secret.',
      output: z.string(),
      isOpen: true,
      run: (_, { params: { secret } }) => secret,
    }),
  }),
})
const rooms = defineFeature({
  name: 'rooms',
  open: () => ({}),
  endpoints: (endpoint) => ({
    get: endpoint({ method: 'GET', path: '/v2/rooms/{id}', summary: 'Returns.', params, run: () => undefined }),
  }),
})
const engine = createEngine({ plugins: [definePlugin({ name: 'lamps', features: [lamps, rooms] })] })
afterAll(() => engine.close())
const api = createApi(engine, { authenticate: apiKeys('key') })

async function get(path: string, headers: Readonly<Record<string, string>> = { authorization: 'Bearer key' }) {
  const response = await api(new Request(`http://localhost${path}`, { headers }))
  return { status: response.status, body: (await response.json()) as object }
}

test('properties of a result are also next to success where the endpoint says so', async () => {
  const next = 'http://localhost/v2/lamps/2'
  expect((await get('/v2/lamps/1')).body).toEqual({
    success: true,
    id: '1',
    next,
    data: { id: '1', name: 'Lamp', next },
  })
  expect((await get('/v2/last-lamp')).body).toEqual({ success: true, data: { id: '9', name: 'Lamp' } })
})

test('a result is in the property that the endpoint names, under each of its paths, and OpenAPI says so', async () => {
  const body = { success: true, lamps: [{ id: '0', name: 'Lamp' }] }
  expect((await get('/v2/all-lamps')).body).toEqual(body)
  expect((await get('/v1/all-lamps')).body).toEqual(body)
  const document = (await get('/openapi.json')).body
  expect(document).toHaveProperty(['paths', '/v1/all-lamps'])
  expect(document).toHaveProperty(['components', 'schemas', 'GetV2AllLampsResponse', 'properties', 'lamps'])
  const { features } = (await get('/v2/features')).body as { readonly features: readonly object[] }
  const all = expect.objectContaining({ name: 'all', property: 'lamps' }) as object
  expect(features).toContainEqual(
    expect.objectContaining({ name: 'lamps', endpoints: expect.arrayContaining([all]) as object }),
  )
})

test('a property of the body may have the size that the endpoint names, and other strings have the usual limit', async () => {
  const send = async (body: object) => {
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await api(new Request('http://localhost/v2/lamp-description', request))
    return { status: response.status, ...((await response.json()) as { readonly error?: string }) }
  }
  const long = 'x'.repeat(1_500_000)
  expect((await send({ text: long })).status).toBe(200)
  expect(await send({ text: long + long })).toMatchObject({
    status: 413,
    error: '"text" has more than 2000000 bytes, which is the limit. Shorten it.',
  })
  expect(await send({ text: '', title: long })).toMatchObject({
    status: 413,
    error: expect.stringMatching(
      /more than 1000000 bytes in one string.* Shorten the string\. Only "text" may have more: 2000000\./,
    ) as string,
  })
})

test('an input with a fallback has it for values that are not valid', async () => {
  const count = async (query: string) =>
    ((await get(`/v2/all-lamps?limit=${query}`)).body as { lamps: [] }).lamps.length
  expect([await count('3'), await count('x'), await count('1.5')]).toEqual([3, 2, 2])
})

test('a read counts for the rate limit that the endpoint names', async () => {
  const limits = { requestsPerMinute: { lamps: 0, status: 9 } }
  const limited = createEngine({
    plugins: [
      definePlugin({
        name: 'lamps',
        features: [lamps],
        gates: [
          defineGate({
            name: 'rates',
            open: () => ({
              admit: async ({ group, rate = group }) => {
                if (rate === 'status') return { limits }
                throw new EngineError('rate_limited', 'Too many.')
              },
            }),
          }),
        ],
      }),
    ],
  })
  const served = createApi(limited, { authenticate: apiKeys('key') })
  const status = async (path: string) =>
    (await served(new Request(`http://localhost${path}`, { headers: { authorization: 'Bearer key' } }))).status
  expect([await status('/v2/all-lamps'), await status('/v2/last-lamp')]).toEqual([429, 200])
  await limited.close()
})

async function post(path: string) {
  const response = await api(
    new Request(`http://localhost${path}`, { method: 'POST', headers: { authorization: 'Bearer key' } }),
  )
  return { status: response.status, body: (await response.json()) as object }
}

test('a result may have a success of its own', async () => {
  expect(await post('/v2/lamps/2/test')).toEqual({ status: 200, body: { success: false, volts: 3 } })
})

test('an endpoint has its own messages for errors', async () => {
  expect(await post('/v2/lamps/0/test')).toMatchObject({ status: 404, body: { error: 'No such lamp to test.' } })
  expect(await post('/v2/lamps/1/test')).toMatchObject({ status: 403, body: { error: 'Hands off.' } })
})

test('an endpoint whose port the engine lacks is refused with its name', async () => {
  const { status, body } = await post('/v2/lamps/1/heat')
  expect({ status, body }).toMatchObject({ status: 503, body: { code: 'NOT_CONFIGURED', details: { port: 'oven' } } })
})

test('an open endpoint needs no key, others do, and OpenAPI says which', async () => {
  expect(await get('/v2/open-lamps/a', {})).toMatchObject({ status: 200, body: { data: 'a' } })
  expect((await get('/v2/lamps/1', {})).status).toBe(401)
  const { paths } = (await get('/openapi.json')).body as { readonly paths: Readonly<Record<string, object>> }
  expect(paths['/v2/open-lamps/{secret}']).toMatchObject({ get: { security: [] } })
  expect(paths['/v2/lamps/{id}']).toMatchObject({ get: { security: [{ key: [] }] } })
  expect(JSON.stringify(paths['/v2/lamps/{id}'])).toMatch(/"success":\{[^}]*\},"id":\{[^}]*\},"next":/)
})

test('a path parameter that is not valid is refused in the words of the feature', async () => {
  expect(await get('/v2/lamps/x')).toMatchObject({ status: 400, body: { error: 'Invalid lamp ID' } })
  expect(await get('/v2/rooms/x')).toMatchObject({ status: 400, body: { error: 'Invalid path parameter' } })
})
