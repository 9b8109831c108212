import { endsByItself } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { missing, startRedis } from './server.ts'

if (missing) console.warn(`Skipped: ${missing}.`)

test.skipIf(missing !== undefined)('a process that has closed its store and queue ends by itself', async () => {
  const server = await startRedis()
  try {
    const module = new URL('../src/index.ts', import.meta.url)
    await expect(endsByItself({ module, store: 'redisStore', queue: 'bullQueue' }, server.url)).resolves.toBeUndefined()
  } finally {
    await server.remove()
  }
})
