// The servers of the stores, each of its own, with what they tell of the calls they had.
import { createConnection } from 'node:net'

import pg from 'pg'

import type { Store } from '@harvestman/ports'

import { postgresStore } from '../../../../packages/postgres/src/index.ts'
import { startPostgres } from '../../../../packages/postgres/test/server.ts'
import { redisStore } from '../../../../packages/redis/src/index.ts'
import { startRedis } from '../../../../packages/redis/test/server.ts'
import { processesOf } from './processes.ts'

export interface Backend {
  readonly url: string
  /** How many calls the server had so far. */
  calls(): Promise<number>
  openStore(): Store
  /** The processes of the server. */
  pids(): readonly number[]
  remove(): Promise<void>
}

export async function redisBackend(): Promise<Backend> {
  const server = await startRedis('--appendonly', 'yes')
  const calls = async (): Promise<number> =>
    [...(await info(server.port)).matchAll(/cmdstat_(\S+):calls=(\d+)/g)]
      // What a connection says of itself.
      .filter(([, name = '']) => !/^(?:info|client|hello|config|ping)/.test(name))
      .reduce((sum, [, , count]) => sum + Number(count), 0)
  const pids = (): readonly number[] => [server.pid()]
  return { url: server.url, calls, pids, openStore: () => redisStore(server.url), remove: server.remove }
}

export async function postgresBackend(): Promise<Backend> {
  const server = await startPostgres('shared_preload_libraries=pg_stat_statements')
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('CREATE EXTENSION pg_stat_statements')
  const calls = async (): Promise<number> => {
    const { rows } = await client.query('SELECT sum(calls)::int AS calls FROM pg_stat_statements')
    return (rows[0] as { readonly calls: number | null }).calls ?? 0
  }
  const { port } = new URL(server.url)
  const pids = (): readonly number[] => processesOf(`port=${port}`)
  const remove = async (): Promise<void> => {
    await client.end()
    await server.remove()
  }
  return { url: server.url, calls, pids, openStore: () => postgresStore(server.url), remove }
}

function info(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write('INFO commandstats\r\nQUIT\r\n'))
    socket.on('data', (text) => (said += String(text)))
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
  })
}
