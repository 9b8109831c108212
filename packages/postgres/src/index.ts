// The public names, one by one. What is not here is not public.
export { bossQueue, type BossQueueOptions } from './boss-queue.ts'
export type { PostgresAddress, PostgresPool } from './client.ts'
export type { PostgresReason } from './errors.ts'
export { postgresStore, type PostgresStoreOptions } from './postgres-store.ts'
