// Servers of stores that can go back in time, as after a crash, a failover or a restored backup.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

import { sqliteStore } from '@harvestman/keyv'
import type { Queue, Store } from '@harvestman/ports'
import { bossQueue, postgresStore } from '@harvestman/postgres'
import { bullQueue, redisStore } from '@harvestman/redis'
import { freePort } from '@harvestman/testing'
import { Client } from 'pg'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis, type RedisServer } from '../../../packages/redis/test/server.ts'
import { findPostgres } from '../../../scripts/programs.ts'

const run = promisify(execFile)

/** A store that can be put back to an earlier state. */
export interface Rewindable {
  store(): Store
  /** Absent where processes on the store have queues of their own. */
  queue?(): Queue
  /** Remembers the state of now. */
  save(): Promise<void>
  /** Fails the server, which comes back with the state that was saved. */
  goBack(): Promise<void>
  /** True when the store is a file, which is put back while no process has it open. */
  readonly isFile?: boolean
  /** Number of times that it goes back in a row. */
  readonly times?: number
  remove(): Promise<void>
}

// As long as a failover takes on a busy machine.
const timeout = 20_000

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'harvestman-rewound-'))
}

function onRedis(url: string): Required<Pick<Rewindable, 'store' | 'queue'>> {
  return { store: () => redisStore(url, { timeout }), queue: () => bullQueue(url, { timeout }) }
}

/** Redis that writes snapshots, and no log of commands. */
async function snapshots(): Promise<Rewindable> {
  const server = await startRedis()
  return {
    ...onRedis(server.url),
    save: async () => void (await cli(server, 'SAVE')),
    goBack: async () => {
      await server.kill()
      await server.start()
    },
    remove: server.remove,
  }
}

/** Redis whose machine crashes: of its log of commands there is what was on the disk. */
async function commandLog(): Promise<Rewindable> {
  const [data, saved] = [folder(), folder()] as const
  const server = await startRedis('--dir', data, '--appendonly', 'yes', '--appendfsync', 'everysec')
  const copy = (from: string, to: string): void => {
    for (const name of ['appendonlydir', 'appendonly.aof']) {
      rmSync(join(to, name), { recursive: true, force: true })
      if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true })
    }
  }
  return {
    ...onRedis(server.url),
    save: async () => copy(data, saved),
    goBack: async () => {
      await server.kill()
      copy(saved, data)
      await server.start()
    },
    remove: async () => {
      await server.remove()
      for (const one of [data, saved]) rmSync(one, { recursive: true, force: true })
    },
  }
}

/** Two failovers of Sentinel in a row, each to a replica that had stopped replicating. */
async function failovers(): Promise<Rewindable> {
  let primary = await startRedis()
  let replica = await startRedis('--replicaof', '127.0.0.1', String(primary.port))
  const sentinel = await startSentinel(primary.port)
  const isReplicating = async (): Promise<boolean> =>
    /master_link_status:up/.test(await cli(replica, 'INFO', 'replication'))
  await untilTrue(isReplicating)
  await untilTrue(async () => /slaves=1/.test(await cli(sentinel, 'INFO', 'sentinel')))
  let pausing: NodeJS.Timeout | undefined
  const pause = async (): Promise<void> => void (await cli(replica, 'REPLICAOF', '127.0.0.1', '1'))
  return {
    ...onRedis(`redis+sentinel://127.0.0.1:${sentinel.port}/main`),
    times: 2,
    save: async () => {
      await untilTrue(isReplicating)
      await pause()
      // The Sentinel corrects it after a while.
      pausing = globalThis.setInterval(() => void pause().catch(() => undefined), 1_000)
    },
    goBack: async () => {
      clearInterval(pausing)
      await primary.kill()
      await untilTrue(async () => /role:master/.test(await cli(replica, 'INFO', 'replication')))
      ;[primary, replica] = [replica, primary]
      await replica.start()
      await untilTrue(isReplicating)
    },
    remove: async () => {
      clearInterval(pausing)
      await sentinel.stop()
      await Promise.all([primary.remove(), replica.remove()])
    },
  }
}

async function startSentinel(primary: number): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const [own, port] = [folder(), await freePort()] as const
  const file = join(own, 'sentinel.conf')
  const times = ['down-after-milliseconds main 3000', 'failover-timeout main 6000']
  const rules = [`port ${port}`, 'bind 127.0.0.1', `dir ${own}`, `sentinel monitor main 127.0.0.1 ${primary} 1`]
  writeFileSync(file, `${[...rules, ...times.map((time) => `sentinel ${time}`)].join('\n')}\n`)
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  return {
    port,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(own, { recursive: true, force: true })
    },
  }
}

async function cli({ port }: Pick<RedisServer, 'port'>, ...command: readonly string[]): Promise<string> {
  return (await run('redis-cli', ['-p', String(port), ...command])).stdout
}

async function untilTrue(look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await look().catch(() => false)) return
    await setTimeout(100)
  }
  throw new Error('The servers did not come to the state that was waited for.')
}

/** Postgres that is restored from a dump while processes use it. */
async function restoredPostgres(): Promise<Rewindable> {
  const server = await startPostgres('fsync=off')
  const own = folder()
  const file = join(own, 'harvestman.dump')
  const programs = findPostgres() ?? ''
  return {
    store: () => postgresStore(server.url, { timeout }),
    queue: () => bossQueue(server.url, { timeout }),
    save: async () => void (await run(`${programs}pg_dump`, ['--format=custom', `--file=${file}`, server.url])),
    // Into a database of its own, which then takes the place of the one in use.
    goBack: async () => {
      const name = new URL(server.url).pathname.slice(1)
      const at = (database: string): string => Object.assign(new URL(server.url), { pathname: `/${database}` }).href
      const admin = new Client(at('template1'))
      await admin.connect()
      await admin.query('CREATE DATABASE restored TEMPLATE template0')
      await run(`${programs}pg_restore`, ['--exit-on-error', `--dbname=${at('restored')}`, file])
      await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`)
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('${name}', 'restored')`,
      )
      await setTimeout(200)
      await admin.query(`ALTER DATABASE "${name}" RENAME TO lost`)
      await admin.query(`ALTER DATABASE restored RENAME TO "${name}"`)
      await admin.end()
    },
    remove: async () => {
      await server.remove()
      rmSync(own, { recursive: true, force: true })
    },
  }
}

/** A SQLite file that is restored from a backup. */
async function restoredFile(): Promise<Rewindable> {
  const own = folder()
  const [file, copied] = [join(own, 'store.sqlite'), join(own, 'copy.sqlite')] as const
  const program = `const { DatabaseSync, backup } = require('node:sqlite'); backup(new DatabaseSync(${JSON.stringify(file)}), ${JSON.stringify(copied)})`
  return {
    store: () => sqliteStore(file),
    isFile: true,
    save: async () => void (await run(process.execPath, ['-e', program])),
    goBack: async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
      copyFileSync(copied, file)
    },
    remove: async () => rmSync(own, { recursive: true, force: true }),
  }
}

/** The ways in which a store goes back, by name. */
export const ways: Readonly<Record<string, () => Promise<Rewindable>>> = {
  'redis-snapshot': snapshots,
  'redis-aof': commandLog,
  'redis-sentinel': failovers,
  postgres: restoredPostgres,
  sqlite: restoredFile,
}
