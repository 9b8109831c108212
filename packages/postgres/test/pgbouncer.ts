import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { freePort } from '@harvestman/testing'
import { Client } from 'pg'

import { findPgBouncer } from '../../../scripts/programs.ts'

/** A PgBouncer before a Postgres of tests, for tests with the tag `pgbouncer`. Its other settings are the usual ones. */
export async function startPgBouncer(server: string, mode: 'session' | 'transaction') {
  const program = findPgBouncer()
  if (program === undefined) throw new Error('A test that starts PgBouncer has the tag "pgbouncer".')
  const { hostname, port: behind, pathname } = new URL(server)
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-pgbouncer-'))
  const port = await freePort()
  const users = join(folder, 'users.txt')
  writeFileSync(users, '"harvestman" ""\n')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
    ${pathname.slice(1)} = host=${hostname} port=${behind}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = trust
    auth_file = ${users}
    pool_mode = ${mode}`,
  )
  // It does not run as root.
  const isRoot = process.getuid?.() === 0
  chmodSync(folder, 0o755)
  const child = spawn(program, [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
  const url = `postgres://harvestman@127.0.0.1:${port}${pathname}`
  const remove = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; ; tries += 1) {
    try {
      const client = new Client(url)
      await client.connect()
      await client.end()
      return { url, remove }
    } catch (error) {
      if (tries > 400) {
        await remove()
        throw error
      }
      await setTimeout(25)
    }
  }
}
