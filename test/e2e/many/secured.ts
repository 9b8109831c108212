// The servers of stores with TLS and a password, as they are reached over a network.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Client } from 'pg'

import { authority, goodCertificate, key } from '../../../packages/net/test/certificates.ts'
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { freePort } from '@harvestman/testing'

/** A server that takes no connection without its password, and the settings of a process that connects to it. */
export interface Secured {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** With what has to be encoded in a URL. */
export const password = 'p@ss/w:rd'
const encoded = encodeURIComponent(password)

/** Writes the certificates into the folder. */
function certificatesIn(folder: string) {
  const write = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const trusted = write('authority.pem', authority)
  return {
    authority: trusted,
    certificate: write('server.crt', goodCertificate),
    key: write('server.key', key),
    env: { NODE_EXTRA_CA_CERTS: trusted },
  }
}

export async function startSecuredRedis(folder: string, ...settings: readonly string[]): Promise<Secured> {
  const { authority, certificate, key, env } = certificatesIn(folder)
  const port = await freePort()
  const tls = [
    ...['--tls-port', String(port), '--tls-auth-clients', 'no', '--tls-ca-cert-file', authority],
    ...['--tls-cert-file', certificate, '--tls-key-file', key],
  ]
  const server = await startRedis(...settings, '--requirepass', password, ...tls)
  return { ...server, url: `rediss://default:${encoded}@127.0.0.1:${port}`, env }
}

export async function startSecuredPostgres(folder: string, ...settings: readonly string[]): Promise<Secured> {
  const { env } = certificatesIn(folder)
  const server = await startPostgres(...settings)
  await secure(server.url)
  const url = `${server.url.replace('@', `:${encoded}@`)}?sslmode=verify-full`
  return { ...server, url, env }
}

/** From within, for the files belong to the user of the server. */
async function secure(url: string): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  const write = async (name: string, text: string): Promise<void> => {
    const lines = text
      .trim()
      .split('\n')
      .map((line) => `'${line}'`)
      .join(', ')
    await admin.query(`COPY (SELECT unnest(ARRAY[${lines}])) TO PROGRAM 'umask 077; cat > ${name}'`)
  }
  await write('server.crt', goodCertificate)
  await write('server.key', key)
  await write('pg_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256')
  await admin.query(`ALTER USER harvestman PASSWORD '${password}'`)
  await admin.query('ALTER SYSTEM SET ssl = on')
  await admin.query('SELECT pg_reload_conf()')
  await admin.end()
}
