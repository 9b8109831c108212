import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

import { isEncodedJson } from '@harvestman/ports/values'
import {
  hasCredentials,
  isSealed,
  sealedMark as mark,
  sealedScheme as scheme,
  type Vault,
} from '@harvestman/toolbox/sealed'

// Engines of one process without a configured key can read each other's records; other processes cannot.
const keyOfProcess = randomBytes(32).toString('base64url')

/** Settings of a vault. */
export interface VaultOptions {
  /** The key, of at least 16 characters. Without it, only this process can decrypt its records. */
  readonly secretKey?: string | undefined
  /**
   * Returns whether an option with this name contains credentials. Its value is encrypted as a whole, wherever it is in a
   * record.
   */
  readonly isSecret: (name: string) => boolean
}

/**
 * Creates a vault, which encrypts credentials (`seal`) and decrypts them (`open`). A value that cannot be decrypted is returned
 * encrypted. Without `secretKey`, only this process can decrypt, until it ends.
 */
export function openVault({ secretKey = keyOfProcess, isSecret }: VaultOptions): Vault {
  const derived = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, 'harvestman', use, 32))
  const [key, nonceKey] = [derived('credentials'), derived('nonces')]
  // The nonce is derived from the value, so that encrypting the same record again gives the same result.
  const encrypt = (text: string): string => {
    const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, 12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64url')
  }
  const decrypt = (text: string): unknown => {
    try {
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(12, 28))
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString())
    } catch {
      return undefined
    }
  }
  const seal = (value: unknown, name?: string): unknown => {
    // Its text may contain credentials, and printing it would write them unencrypted.
    if (isEncodedJson(value)) return seal(value.toJSON(), name)
    if (isSealed(value)) return value
    const isOfSecret = name !== undefined && isSecret(name) && !isEmpty(value)
    if (typeof value === 'string')
      return isOfSecret || hasCredentials(value) ? scheme + encrypt(JSON.stringify(value)) : value
    if (!isTree(value)) return value
    return isOfSecret ? { [mark]: encrypt(JSON.stringify(value)) } : changed(value, seal)
  }
  const open = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.startsWith(scheme) ? (decrypt(value.slice(scheme.length)) ?? value) : value
    if (!isTree(value)) return value
    if (!isSealed(value)) return changed(value, open)
    return decrypt(String((value as Readonly<Record<string, unknown>>)[mark])) ?? value
  }
  return { seal: (value) => seal(value), open }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

type Tree = readonly unknown[] | Readonly<Record<string, unknown>>

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

/** Returns the same tree with changed values, or the very same tree if none changed. */
function changed(tree: Tree, change: (value: unknown, name?: string) => unknown): Tree {
  const isList = Array.isArray(tree)
  // Cast: a list is a record of its indexes.
  const record = tree as Readonly<Record<string | number, unknown>>
  const names = isList ? tree.keys() : Object.keys(record)
  let copy: Record<string | number, unknown> | undefined
  for (const name of names) {
    // The index of a list is never the name of an option.
    const value = typeof name === 'number' ? change(record[name]) : change(record[name], name)
    if (value === record[name]) continue
    // Cast: as above.
    copy ??= (isList ? [...tree] : { ...record }) as Record<string | number, unknown>
    copy[name] = value
  }
  return copy ?? record
}
