// Ed25519 keys of a bot: made by a command, read from the configuration.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

import { EngineError } from '@harvestman/ports'

/** A signing key. */
export interface BotKey {
  /** Thumbprint of the public key (RFC 7638). It names the key in signatures. */
  readonly id: string
  /** The public key for the directory. */
  readonly publicKey: PublicKey
  /** Signs a string, and returns the signature in base64. */
  sign(text: string): string
}

/** A public key as a JSON Web Key (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

/** A new key. */
export interface NewBotKey {
  /** The private key in base64url: the value of the setting `botKeys`. */
  readonly privateKey: string
  /** Thumbprint of the public key. */
  readonly id: string
}

// The encoding of an Ed25519 private key before its 32 bytes (RFC 8410).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Creates a random key. */
export function makeBotKey(): NewBotKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d } = privateKey.export({ format: 'jwk' }) as { d: string }
  return { privateKey: d, id: readBotKey(d).id }
}

/**
 * Reads a private key: its 32 bytes in base64url, PEM, or a JSON Web Key. Throws `invalid_request` for anything else. The message
 * does not quote the key.
 */
export function readBotKey(text: string): BotKey {
  const key = privateKeyIn(text.trim())
  const { x } = createPublicKey(key).export({ format: 'jwk' }) as { x: string }
  const publicKey = { kty: 'OKP', crv: 'Ed25519', x } as const
  return {
    id: thumbprintOf(publicKey),
    publicKey,
    sign: (base) => sign(null, Buffer.from(base), key).toString('base64'),
  }
}

function privateKeyIn(text: string): KeyObject {
  try {
    const key = parseKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The error of the parser may quote the key, so it is not the cause of this one.
  }
  throw new EngineError(
    'invalid_request',
    'A bot key is not a private Ed25519 key. Create one with `harvestman bot-key`, or use PEM. A JSON Web Key works in the configuration file and in code, not in HARVESTMAN_BOT_KEYS.',
  )
}

function parseKey(text: string): KeyObject {
  if (text.startsWith('-----')) return createPrivateKey(text)
  if (text.startsWith('{')) return createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
  if (!/^[\w-]{43}=?$/.test(text)) throw new TypeError('Not 32 bytes in base64url.')
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(text, 'base64url')])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

function thumbprintOf({ crv, kty, x }: PublicKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}
