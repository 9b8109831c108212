// The public exports, listed by name. Anything not listed is private.
export { bullQueue, type BullQueueOptions } from './bull-queue.ts'
export type { RedisConnection } from './client.ts'
export type { RedisReason } from './errors.ts'
export { redisEvicts } from './eviction.ts'
export { redisStore, type RedisStoreOptions } from './redis-store.ts'
