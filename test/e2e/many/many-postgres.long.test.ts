// @module-tag postgres
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { testManyOn } from './many-on.ts'

testManyOn('postgres', () => startPostgres('fsync=off'))
