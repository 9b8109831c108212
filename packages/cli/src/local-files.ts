import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { EngineError } from '@harvestman/ports'

import type { Shell } from './shell.ts'

export interface LocalFile {
  readonly bytes: Uint8Array
  readonly name: string
}

// Extensions that are not top-level domains, so that a host name cannot end with one.
const fileName =
  /\.(?:html?|xhtml|mhtml|pdf|docx?|xlsx?|pptx?|od[tspf]|rtf|epub|txt|csv|tsv|jsonl?|xml|ya?ml|png|jpe?g|gif|webp)$/i

/** Throws `invalid_request` if a target that is not a file looks like a path, and cannot be a URL. */
export function checkNoPath(target: string): void {
  if (target.startsWith('//')) return
  const isPath = /^(?:\.{0,2}[/\\]|~|[a-z]:\\)/i.test(target)
  const [host = ''] = target.split(/[/?#]/, 1)
  if (!isPath && !(fileName.test(target) && (!host.includes('.') || fileName.test(host)))) return
  const why = `The file ${target} does not exist. Check its path. A URL starts with https://.`
  throw new EngineError('invalid_request', why)
}

/**
 * Reads a local file, or standard input for `-`. Returns `undefined` if the target is a URL or not a file. Rejects with
 * `invalid_request` if the file cannot be read, or if the target looks like the path of a missing file.
 */
export async function readLocal(target: string, { stdin }: Shell): Promise<LocalFile | undefined> {
  if (target === '-') return { bytes: stdin(), name: 'stdin' }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return undefined
  const found = await stat(target).catch(() => undefined)
  if (!found?.isFile()) {
    checkNoPath(target)
    return undefined
  }
  try {
    return { bytes: await readFile(target), name: basename(target) }
  } catch (cause) {
    throw new EngineError('invalid_request', `${target} cannot be read. Check its permissions.`, { cause })
  }
}
