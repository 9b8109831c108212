import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { EngineError } from '@harvestman/ports'
import { isForMany, type Config, type ConfigSources } from '@harvestman/node/configuration'

import type { Shell } from './shell.ts'

/** The config file that is read where none is named, when the folder has it. */
export const usualConfigFile = 'harvestman.jsonc'

/** Gathers what was said on the command line, in the config file, and in the environment. */
export function sources(
  named: string | undefined,
  { set = [], ...given }: Readonly<Record<string, unknown>> & { readonly set?: readonly string[] | undefined },
  { env }: Shell,
): ConfigSources {
  const file = named ?? env['HARVESTMAN_CONFIG'] ?? (existsSync(usualConfigFile) ? usualConfigFile : undefined)
  return {
    env,
    given: { ...given, ...Object.fromEntries(set.map(settingIn)) },
    ...(file !== undefined && { file: { name: file, text: read(file) } }),
  }
}

function settingIn(text: string): readonly [string, string] {
  const [, key, value] = /^([^=]+)=([^]*)$/.exec(text) ?? []
  if (key !== undefined && value !== undefined) return [key, value]
  throw new EngineError('invalid_request', `"${text}" is no setting. Write it as --set limits.concurrency=64.`)
}

/** The same configuration with places on the disk where it names none: commands and the server find each other's jobs there. */
export function onDisk(config: Config): Config & { readonly store: string } {
  const folder = join(homedir(), '.harvestman')
  const { store = `sqlite:${join(folder, 'harvestman.sqlite')}` } = config
  // Other machines do not see a folder of this one: there files go to the store.
  const files = config.files ?? (isForMany(store) ? undefined : join(folder, 'files'))
  return { ...config, store, files }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `The config file ${file} cannot be read. Check its path.`, { cause })
  }
}
