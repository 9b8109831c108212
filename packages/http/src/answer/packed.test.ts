import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'

const api = createApi(fakeEngine())
const ask = (headers: Record<string, string>) => api(new Request('http://localhost/openapi.json', { headers }))
const whole = (await (await ask({})).json()) as object

describe('What is the same for everybody', () => {
  test.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['gzip;q=0, br;q=0', null],
    ['', null],
  ])('is packed as a caller takes it that accepts "%s"', async (accepted, encoding) => {
    const response = await ask({ 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toContain('accept-encoding')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
    expect(JSON.parse(new TextDecoder().decode(plain))).toEqual(whole)
    if (encoding !== null) expect(bytes.byteLength).toBeLessThan(plain.byteLength / 5)
  })

  test('is not sent again to who has it', async () => {
    const etag = (await ask({})).headers.get('etag') ?? ''
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const response = await ask({ 'if-none-match': known, 'accept-encoding': 'gzip' })
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(response.headers.get('etag')).toBe(etag)
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
  })
})
