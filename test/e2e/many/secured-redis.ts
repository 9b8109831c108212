import { freePort } from '@harvestman/testing'

import { startRedis } from '../../../packages/redis/test/server.ts'
import { certificatesIn, encoded, password, type Secured } from './secured.ts'

/** A Redis that takes connections with the password, and lets others in over TLS alone. */
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
