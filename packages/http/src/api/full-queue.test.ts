import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import { hosting } from '@harvestman/hosting'
import { afterEach, expect, test } from 'vitest'

import { createApi } from './api.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const endless = () => {
  const read = { bytes: 0 }
  const body = new ReadableStream({
    pull: (controller) => {
      read.bytes += 1_000
      controller.enqueue(new Uint8Array(1_000).fill(32))
    },
  })
  return { body, read }
}

test.each([
  ['/v2/scrape', 'application/json'],
  ['/v1/scrape', 'application/json'],
  ['/v2/parse', 'multipart/form-data; boundary=x'],
])('a request to %s that cannot even wait is refused unread, and is in the activity', async (path, type) => {
  const { promise: loading, resolve: loads } = Promise.withResolvers<void>()
  const load = (): Promise<never> => {
    loads()
    return new Promise<never>(() => undefined)
  }
  const stuck = definePlugin({ name: 'stuck', loaders: [defineLoader({ name: 'stuck', cost: 0, load })] })
  const engine = createEngine({ plugins: [stuck, hosting()] })
  closing.push(engine.close)
  const api = createApi(engine, { authenticate: () => ({ team: 'a', limits: { concurrency: 1, queue: 0 } }) })
  const post = (path: string, type: string, body: string | ReadableStream): Promise<Response> =>
    api(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        body,
        duplex: 'half',
        headers: { 'content-type': type },
      }),
    )

  const first = post('/v2/scrape', 'application/json', JSON.stringify({ url: 'https://a.test/' }))
  await loading
  const { body, read } = endless()
  const response = await post(path, type, body)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5'])
  // A stream has one piece ready before anybody asks.
  expect(read.bytes).toBeLessThanOrEqual(1_000)
  const { data } = await engine.activity.list({}, { team: 'a' })
  expect(data.map(({ endpoint, refused }) => [endpoint, refused])).toEqual(
    expect.arrayContaining([
      ['scrape', undefined],
      ['scrape', 'rate_limited'],
    ]),
  )
  await engine.close()
  expect((await first).status).not.toBe(200)
})
