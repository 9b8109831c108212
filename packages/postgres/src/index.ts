// The public exports, listed by name. Anything not listed is private.
export { bossQueue, type BossQueueOptions } from './boss-queue.ts'
export { postgresPool, type PostgresConnection, type PostgresPool, type StatementPool } from './client.ts'
export type { PostgresReason } from './errors.ts'
export { postgresStore, type PostgresStoreOptions } from './postgres-store.ts'
