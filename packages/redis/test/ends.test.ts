// @module-tag redis
import { endsByItself } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { startRedis } from './server.ts'

test('a process that has closed its store and queue ends by itself', async () => {
  const server = await startRedis()
  try {
    const module = new URL('../src/index.ts', import.meta.url)
    await expect(endsByItself({ module, store: 'redisStore', queue: 'bullQueue' }, server.url)).resolves.toBeUndefined()
  } finally {
    await server.remove()
  }
})
