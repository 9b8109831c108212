import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { freePort } from '@harvestman/testing'
import { Client, DatabaseError } from 'pg'

import { findPostgres } from '../../../scripts/programs.ts'
import { madeOnce } from '../../../test/made-once.ts'

/** A Postgres of its own on a free port of this machine, with its data in a folder that goes with it, for tests with the tag `postgres`. */
export interface PostgresServer {
  readonly url: string
  start(): Promise<void>
  /** With its children; what it had said is done has to be there afterwards. */
  kill(): Promise<void>
  /** Sends the server and all its children a signal. */
  signal(signal: NodeJS.Signals): void
  remove(): Promise<void>
}

export async function startPostgres(...settings: readonly string[]): Promise<PostgresServer> {
  const user = userOfServer()
  const programs = await programsOf(user)
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await freePort()
  const as = { ...user, cwd: folder }
  // With its owners and rights, the folder's own too.
  execFileSync('cp', ['-a', `${await freshData(programs, user)}/.`, folder])
  let child: ChildProcess | undefined
  const server: PostgresServer = {
    url: `postgres://harvestman@127.0.0.1:${port}/postgres`,
    async start() {
      if (isRunning(child)) return
      const own = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', autovacuum: 'off' }
      const given = Object.entries(own).map(([name, value]) => `${name}=${value}`)
      const flags = [...given, ...settings].flatMap((setting) => ['-c', setting])
      child = spawn(`${programs}postgres`, ['-D', folder, ...flags], { ...as, stdio: 'ignore', detached: true })
      await answering(server.url)
    },
    async kill() {
      const gone = child
      child = undefined
      if (!isRunning(gone)) return
      // The group of processes, for a child would hold the data.
      signalAll(gone.pid, 'SIGCONT')
      signalAll(gone.pid, 'SIGKILL')
      await once(gone, 'exit')
      rmSync(join(folder, 'postmaster.pid'), { force: true })
    },
    signal: (signal) => signalAll(child?.pid, signal),
    async remove() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await server.start()
  } catch (error) {
    await server.remove()
    throw error
  }
  return server
}

/** The data of a server that has never run: to make it takes ten times as long as to copy it. */
function freshData(programs: string, user: Ids | undefined): Promise<string> {
  return madeOnce('postgres-data', (folder) => {
    if (user !== undefined) chownSync(folder, user.uid, user.gid)
    const options = ['-U', 'harvestman', '-A', 'trust', '-E', 'UTF8', '--no-sync']
    execFileSync(`${programs}initdb`, ['-D', folder, ...options], { ...user, cwd: folder })
  })
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess & { readonly pid: number } {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null
}

// The children of Postgres have process groups of their own.
function signalAll(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  // It gives a bad status when there are none.
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.split('\n')
  for (const one of [pid, ...children.map(Number)]) {
    try {
      if (one > 0) process.kill(one, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

interface Ids {
  readonly uid: number
  readonly gid: number
}

/** Postgres does not run as root; Debian makes a user for it, and every system has one for nobody. */
function userOfServer(): Ids | undefined {
  return process.getuid?.() === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : undefined
}

/** The folder of its programs, where that user may read them: a project of root may lie where others may not look. */
async function programsOf(user: Ids | undefined): Promise<string> {
  const found = findPostgres()
  if (found === undefined) throw new Error('A test that starts Postgres has the tag "postgres".')
  if (user === undefined || !found.includes('node_modules')) return found
  const whole = await madeOnce('postgres', (folder) =>
    cpSync(realpathSync(join(found, '..')), folder, { recursive: true, verbatimSymlinks: true }),
  )
  return join(whole, 'bin/')
}

function idsOf(name: string): Ids | undefined {
  try {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name])))
    return { uid, gid }
  } catch {
    return undefined
  }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const client = new Client(url)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      // One that lets in others alone has started, too.
      if (error instanceof DatabaseError && error.code?.startsWith('28')) return
      await setTimeout(50)
    }
  }
  throw new Error('The Postgres did not start.')
}
