// @module-tag long
// @module-tag postgres
import { postgresStore } from '@harvestman/postgres'

import { testManyOn } from './many-on.ts'
import { startSecuredPostgres } from './secured-postgres.ts'

testManyOn('postgres', (folder) => startSecuredPostgres(folder, 'fsync=off'), postgresStore)
