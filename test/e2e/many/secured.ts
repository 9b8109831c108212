// The servers of stores with TLS and a password, as they are reached over a network.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { authority, goodCertificate, key } from '../../../packages/net/test/certificates.ts'

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
export const encoded = encodeURIComponent(password)

/** Writes the certificates into the folder. */
export function certificatesIn(folder: string) {
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
