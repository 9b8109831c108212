import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { EngineError } from '@harvestman/ports'
import { makePrivateFolder, privateFile } from '@harvestman/ports/adapters'

import type { Config } from './config.ts'
import { isForMany } from './services.ts'

/** The key that encrypts credentials: the one that was set, else that of the key file next to a SQLite store. */
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
    // Another process has made it meanwhile.
    if (!existsSync(file)) throw error
  }
}

/** What is missing for credentials of stored requests, in a sentence; undefined when nothing is. */
export function whatKeyLacks({ secretKey, store }: Pick<Config, 'secretKey' | 'store'>): string | undefined {
  if (secretKey !== undefined || !isForMany(store)) return undefined
  return 'No secretKey is set: jobs whose requests have headers, actions or passwords fail in other processes and after a restart. Set HARVESTMAN_SECRET_KEY to the same random text in all processes.'
}
