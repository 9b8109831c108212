// @module-tag long
// @module-tag postgres
import { postgresStore } from '@harvestman/postgres'
import { afterAll, beforeAll } from 'vitest'

import { startPostgres, type PostgresServer } from '../../../packages/postgres/test/server.ts'
import { testSince } from './since-on.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres('fsync=off')
})
afterAll(() => server?.remove())

testSince((clock) => postgresStore(server.url, { clock }))
