// @module-tag postgres
import { endsByItself } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { startPostgres } from './server.ts'

test('a process that has closed its store and queue ends by itself', { tags: ['long'], timeout: 60_000 }, async () => {
  const server = await startPostgres('fsync=off')
  try {
    const module = new URL('../src/index.ts', import.meta.url)
    await expect(
      endsByItself({ module, store: 'postgresStore', queue: 'bossQueue' }, server.url),
    ).resolves.toBeUndefined()
  } finally {
    await server.remove()
  }
})
