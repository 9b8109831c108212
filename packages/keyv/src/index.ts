// The public exports, listed by name. Anything not listed is private.
export type { SqliteOptions } from './transactions.ts'
export type { KeyvClient } from './keyv-client.ts'
export { keyvStore, type KeyvStoreOptions } from './keyv-store.ts'
export type { SqliteReason } from './sqlite-errors.ts'
export { sqliteKeyv } from './sqlite-keyv.ts'
export { sqliteStore } from './sqlite-store.ts'
