import { EngineError } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'

const explain = { steps: [{ step: 'loader', outcome: 'page', loader: 'http', ms: 1, at: 0 }] } as const

function ask(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`http://localhost:3002${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ url: 'a.test' }),
  })
}

describe.each(['/v1/scrape', '/v2/scrape'])('%s explains', (path) => {
  test('when a header asks for it, and only then', async () => {
    const api = createApi(fakeEngine((_, call) => (call.explain ? { explain } : {})))
    const answers = [{}, { 'x-harvestman-explain': 'false' }, { 'x-harvestman-explain': 'true' }].map(
      async (headers: Record<string, string>) => (await (await api(ask(path, headers))).json()) as { data: object },
    )
    const [without, off, on] = await Promise.all(answers)
    expect(without?.data).not.toHaveProperty('explain')
    expect(off?.data).not.toHaveProperty('explain')
    expect(on?.data).toMatchObject({ explain })
  })

  test('a failure too, whatever its code', async () => {
    const api = createApi(
      fakeEngine(() => {
        throw new EngineError('timeout', 'Too late.', { details: { explain, secret: 'inside' } })
      }),
    )
    const body = await (await api(ask(path, { 'x-harvestman-explain': '1' }))).json()
    expect(body).toEqual({ success: false, code: 'SCRAPE_TIMEOUT', error: 'Too late.', details: { explain } })
  })
})
