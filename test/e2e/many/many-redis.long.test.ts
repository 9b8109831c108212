// @module-tag long
// @module-tag redis
import { redisStore } from '@harvestman/redis'

import { testManyOn } from './many-on.ts'
import { startSecuredRedis } from './secured-redis.ts'

testManyOn('redis', (folder) => startSecuredRedis(folder, '--appendonly', 'yes'), redisStore)
