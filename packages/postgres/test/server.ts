import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { freePort } from '@harvestman/testing'

// Debian keeps the programs of the server apart from those of clients.
const programs =
  globSync('/usr/lib/postgresql/*/bin/initdb')
    .sort()
    .at(-1)
    ?.replace(/initdb$/, '') ?? ''
// Postgres does not run as root; Debian makes a user for it.
const user: { readonly uid?: number; readonly gid?: number } | undefined =
  process.getuid?.() === 0 ? idsOf('postgres') : {}

/** Why tests of a real Postgres cannot run here; nothing when they can. */
export const missing =
  works() && user !== undefined ? undefined : 'the server of Postgres is not installed (apt-get install postgresql)'

/** A Postgres of its own on a free port of this machine, with its data in a folder that goes with it. */
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
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-postgres-'))
  if (user?.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0)
  const port = await freePort()
  const as = { ...user, cwd: folder }
  execFileSync(`${programs}initdb`, ['-D', folder, '-U', 'harvestman', '-A', 'trust', '-E', 'UTF8', '--no-sync'], as)
  let child: ChildProcess | undefined
  const server: PostgresServer = {
    url: `postgres://harvestman@127.0.0.1:${port}/postgres`,
    async start() {
      if (isRunning(child)) return
      const own = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', autovacuum: 'off' }
      const given = Object.entries(own).map(([name, value]) => `${name}=${value}`)
      const flags = [...given, ...settings].flatMap((setting) => ['-c', setting])
      child = spawn(`${programs}postgres`, ['-D', folder, ...flags], { ...as, stdio: 'ignore', detached: true })
      await answering(port)
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

function works(): boolean {
  try {
    execFileSync(`${programs}postgres`, ['--version'])
    return programs !== ''
  } catch {
    return false
  }
}

function idsOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  try {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name])))
    return { uid, gid }
  } catch {
    return undefined
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    try {
      execFileSync(`${programs}pg_isready`, ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      return
    } catch {
      await setTimeout(50)
    }
  }
  throw new Error('The Postgres did not start.')
}
