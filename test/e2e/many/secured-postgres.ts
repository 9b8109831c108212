import { Client } from 'pg'

import { goodCertificate, key } from '../../../packages/net/test/certificates.ts'
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { certificatesIn, encoded, password, type Secured } from './secured.ts'

/** A Postgres that takes no connection without TLS and the password. */
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
