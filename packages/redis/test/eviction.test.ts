// @module-tag redis
import { expect, onTestFinished, test } from 'vitest'

import { redisEvicts } from '../src/index.ts'
import { startRedis } from './server.ts'

test.each([
  ['that evicts is told of, with what to set', ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'], true],
  ['that refuses what does not fit is not', ['--maxmemory', '50mb', '--maxmemory-policy', 'noeviction'], false],
  ['without a bound is not', ['--maxmemory-policy', 'allkeys-lru'], false],
] as const)('a Redis %s', async (_, settings, evicts) => {
  const server = await startRedis(...settings)
  onTestFinished(() => server.remove())
  const said = await redisEvicts(server.url)
  if (evicts) expect(said).toMatch(/allkeys-lru.*noeviction/)
  else expect(said).toBeUndefined()
})
