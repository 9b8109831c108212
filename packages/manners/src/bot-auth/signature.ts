// HTTP Message Signatures (RFC 9421) as Web Bot Auth uses them.
import { randomBytes } from 'node:crypto'

import type { BotKey } from './bot-key.ts'

/** A component that a signature covers: its identifier, such as `"@authority"`, and its value. */
type Component = readonly [identifier: string, value: string]

/** Validity and purpose of a signature. */
interface SignatureOptions {
  readonly label: string
  readonly tag: string
  /** Current time in milliseconds since 1970. */
  readonly now: number
  /** Seconds until the signature expires. */
  readonly lifetime: number
}

/** The two headers of a signature. */
export interface SignatureHeaders {
  readonly 'signature-input': string
  readonly signature: string
}

/** Signs components of a message. Each signature has a nonce, so that a verifier can detect a replayed one. */
export function signComponents(
  components: readonly Component[],
  key: BotKey,
  { label, tag, now, lifetime }: SignatureOptions,
): SignatureHeaders {
  const created = Math.floor(now / 1000)
  const parameters = [
    `created=${created}`,
    `expires=${created + lifetime}`,
    `keyid="${key.id}"`,
    'alg="ed25519"',
    `nonce="${randomBytes(64).toString('base64')}"`,
    `tag="${tag}"`,
  ]
  const input = `(${components.map(([identifier]) => identifier).join(' ')});${parameters.join(';')}`
  const lines = [...components, ['"@signature-params"', input]].map(([identifier, value]) => `${identifier}: ${value}`)
  return { 'signature-input': `${label}=${input}`, signature: `${label}=:${key.sign(lines.join('\n'))}:` }
}
