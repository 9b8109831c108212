import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { EngineError } from '@harvestman/ports'
import { makePrivateFolder, privateFile } from '@harvestman/toolbox/private-files'

import type { Config } from './settings.ts'
import { isForMany } from './services.ts'

/**
 * Returns the key that encrypts credentials: the configured one, else the content of the key file next to a SQLite
 * store, which is created if needed. Throws `store_failed` if that file is not accessible. Returns `undefined` for
 * other stores without a configured key.
 */
export function secretKeyOf({ secretKey, store }: Pick<Config, 'secretKey' | 'store'>): string | undefined {
  if (secretKey !== undefined || !store?.startsWith('sqlite:') || store === 'sqlite::memory:') return secretKey
  return keyIn(`${store.slice('sqlite:'.length)}.key`)
}

function keyIn(file: string): string {
  try {
    if (!existsSync(file)) makeKey(file)
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const message = `The key file ${file} cannot be read or written. Check who owns it, or set HARVESTMAN_SECRET_KEY.`
    throw new EngineError('store_failed', message, { cause, details: { file } })
  }
}

function makeKey(file: string): void {
  makePrivateFolder(dirname(file))
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: privateFile, flag: 'wx' })
  } catch (error) {
    // Another process has created it meanwhile.
    if (!existsSync(file)) throw error
  }
}

/** Returns a warning if a shared store has no secret key; otherwise `undefined`. */
export function whatKeyLacks({ secretKey, store }: Pick<Config, 'secretKey' | 'store'>): string | undefined {
  if (secretKey !== undefined || !isForMany(store)) return undefined
  return 'No secretKey is set: jobs whose requests have headers, actions or passwords fail in other processes and after a restart. Set HARVESTMAN_SECRET_KEY to the same random text in all processes.'
}
