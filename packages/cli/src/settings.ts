import { readFileSync } from 'node:fs'

import { EngineError } from '@harvestman/core'
import { type ConfigSources } from '@harvestman/node'

import type { Shell } from './shell.ts'

/** Gathers what was said on the command line, in the file named there, and in the environment. */
export function sources(
  file: string | undefined,
  given: Readonly<Record<string, unknown>>,
  { env }: Shell,
): ConfigSources {
  return { env, given, ...(file !== undefined && { file: { name: file, text: read(file) } }) }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `The config file ${file} cannot be read. Check its path.`, { cause })
  }
}
