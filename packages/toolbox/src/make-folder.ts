import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents with this mode. Existing folders are unchanged. Throws if it cannot be created.
 * `mkdir` of Node with `recursive` never returns if a folder that exists refuses new entries as missing, as `/proc` does.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const path = resolve(folder)
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeFolder(parent, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
