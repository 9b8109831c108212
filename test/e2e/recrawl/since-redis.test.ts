// @module-tag long
// @module-tag redis
import { redisStore } from '@harvestman/redis'
import { afterAll, beforeAll } from 'vitest'

import { startRedis, type RedisServer } from '../../../packages/redis/test/server.ts'
import { testSince } from './since-on.ts'

let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server?.remove())

testSince((clock) => redisStore(server.url, { clock }))
