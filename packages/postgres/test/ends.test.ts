import { execFileSync } from 'node:child_process'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { missing, startPostgres, type PostgresServer } from './server.ts'

if (missing) console.warn(`Skipped: ${missing}.`)

let server: PostgresServer
beforeAll(async () => {
  if (!missing) server = await startPostgres('fsync=off')
}, 60_000)
afterAll(() => server?.remove())

describe.skipIf(missing !== undefined)('a process that has closed its store and queue', () => {
  test('ends by itself', () => {
    const script = `
      import { bossQueue, postgresStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
      const [store, queue] = [postgresStore(process.argv[1]), bossQueue(process.argv[1])]
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
