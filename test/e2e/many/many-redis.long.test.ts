// @module-tag redis
import { startRedis } from '../../../packages/redis/test/server.ts'
import { testManyOn } from './many-on.ts'

testManyOn('redis', () => startRedis('--appendonly', 'yes'))
