import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { EngineError } from '@harvestman/ports'

import type { Shell } from './shell.ts'

export interface LocalFile {
  readonly bytes: Uint8Array
  readonly name: string
}

/** Reads a local file, or standard input for `-`. Returns `undefined` if the target is a URL or not a file. */
export async function readLocal(target: string, { stdin }: Shell): Promise<LocalFile | undefined> {
  if (target === '-') return { bytes: stdin(), name: 'stdin' }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return undefined
  const found = await stat(target).catch(() => undefined)
  if (!found?.isFile()) return undefined
  try {
    return { bytes: await readFile(target), name: basename(target) }
  } catch (cause) {
    throw new EngineError('invalid_request', `${target} cannot be read. Check its rights.`, { cause })
  }
}
