// Input of endpoints that is the content of files.
import { isUtf8 } from 'node:buffer'

import { readBytes } from './page-options.ts'
import type { Shell } from './shell.ts'

/**
 * Replaces the paths of files in an input by their content: UTF-8 text as it is, other bytes in base64. `-` is standard input. Throws
 * `invalid_request` if a file cannot be read.
 */
export function withFiles(
  input: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { stdin }: Pick<Shell, 'stdin'>,
): Record<string, unknown> {
  const contents = names.flatMap((name) => {
    const path = input[name]
    if (typeof path !== 'string') return []
    const bytes = path === '-' ? stdin() : readBytes(`<${name}>`, path)
    return [[name, Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'base64')]]
  })
  return { ...input, ...Object.fromEntries(contents) }
}
