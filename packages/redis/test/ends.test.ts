import { execFileSync } from 'node:child_process'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { missing, startRedis, type RedisServer } from './server.ts'

if (missing) console.warn(`Skipped: ${missing}.`)

let server: RedisServer
beforeAll(async () => {
  if (!missing) server = await startRedis()
})
afterAll(() => server?.remove())

describe.skipIf(missing !== undefined)('a process that has closed its store and queue', () => {
  test('ends by itself', () => {
    const script = `
      import { bullQueue, redisStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
      const [store, queue] = [redisStore(process.argv[1]), bullQueue(process.argv[1])]
      await store.set('key', 1)
      await store.watch('key', () => undefined)
      const done = Promise.withResolvers()
      await queue.consume(async () => done.resolve(), { concurrency: 2 })
      await queue.push({ id: 'a', kind: 'test', body: null })
      await done.promise
      await Promise.all([store.close(), queue.close()])
      console.log('closed')
    `
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, server.url], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(said).toBe('closed\n')
  })
})
