import { describe, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'
import { fakeEngine, someId } from '../fixtures/fake-engine.ts'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255])
const at = (id: string, base = 'http://localhost:3002'): string => `${base}/v2/files/${id}`

function apiWith(type: string) {
  const engine = fakeEngine()
  engine.files.set(someId, { bytes: png, type, team: 'one' })
  return createApi(engine, { authenticate: apiKeys('one:secret') })
}

describe('A file', () => {
  test('is given as it is, without a key, under its unguessable address', async () => {
    const response = await apiWith('image/png')(new Request(at(someId)))
    expect(response.status).toBe(200)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="file.png"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  test.each(['text/html', 'image/svg+xml', 'text/html\r\nx-evil: 1'])(
    'that calls itself %j is never shown',
    async (type) => {
      const response = await apiWith(type)(new Request(at(someId)))
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('content-disposition')).toBe('attachment')
      expect(response.headers.get('x-evil')).toBeNull()
    },
  )

  test.each([
    ['0198c7a1-5f0e-4c3a-9f5d-0a4d2b1c7e99', 404],
    ['..%2f..%2fetc%2fpasswd', 400],
    ['all', 400],
    ['', 404],
  ])('cannot be had under %j', async (id, status) => {
    const response = await apiWith('image/png')(new Request(at(id)))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ success: false })
  })
})

test('the engine is told where its files are served, as the caller reaches this server', async () => {
  const told: unknown[] = []
  const api = createApi(
    fakeEngine((_, { filesAt }) => (told.push(filesAt), {})),
    { authenticate: apiKeys('secret') },
  )
  for (const version of ['v1', 'v2']) {
    await api(
      new Request(`http://api.example:8080/${version}/scrape`, {
        method: 'POST',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
        body: JSON.stringify({ url: 'a.test' }),
      }),
    )
  }
  expect(told).toEqual(Array(2).fill('https://api.example:8080/v2/files/'))
})
