// The public names, one by one. What is not here is not public.
export { bullQueue, type BullQueueOptions } from './bull-queue.ts'
export type { RedisAddress } from './client.ts'
export type { RedisReason } from './errors.ts'
export { redisEvicts } from './eviction.ts'
export { redisStore, type RedisStoreOptions } from './redis-store.ts'
