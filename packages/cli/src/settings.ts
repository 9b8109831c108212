import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { EngineError } from '@harvestman/ports'
import { isForMany, withoutCredentials, type Config, type ConfigSources } from '@harvestman/node/configuration'

import type { Shell } from './shell.ts'

/** Config file that is read by default if the working directory has it. */
export const defaultConfigFile = 'harvestman.jsonc'

/**
 * Collects the settings of the command line, the config file and the environment. The config file is optional unless it is
 * named. Throws `invalid_request` if it cannot be read, or if an entry of `set` is not `name=value`.
 */
export function sources(
  named: string | undefined,
  { set = [], ...given }: Readonly<Record<string, unknown>> & { readonly set?: readonly string[] | undefined },
  { env }: Shell,
): ConfigSources {
  const file = named ?? env['HARVESTMAN_CONFIG'] ?? (existsSync(defaultConfigFile) ? defaultConfigFile : undefined)
  return {
    env,
    given: { ...given, ...Object.fromEntries(set.map(settingIn)) },
    ...(file !== undefined && { file: { name: file, text: read(file) } }),
  }
}

function settingIn(text: string): readonly [string, string] {
  const [, key, value] = /^([^=]+)=([^]*)$/.exec(text) ?? []
  if (key !== undefined && value !== undefined) return [key, value]
  throw new EngineError('invalid_request', `"${text}" is not a setting. Write it as --set limits.concurrency=64.`)
}

/**
 * Returns the configuration with default disk locations for the store and files, in `~/.harvestman`. Commands and the server
 * share them, so they find each other's jobs. With a shared store, files go to the store.
 */
export function onDisk(config: Config): Config & { readonly store: string } {
  const folder = join(homedir(), '.harvestman')
  const { store = `sqlite:${join(folder, 'harvestman.sqlite')}` } = config
  // Other hosts cannot read a local folder, so with a shared store the files go to the store.
  const files = config.files ?? (isForMany(store) ? undefined : join(folder, 'files'))
  return { ...config, store, files }
}

/**
 * Runs work on a store. If the store fails, the error has a step that names its URL without credentials, and where to change
 * it. Other errors of the work are rethrown.
 */
export async function onStore<Result>(
  { store }: { readonly store: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'store_failed') throw error
    const step = `The store is ${withoutCredentials(store)}. Check that it runs, or set another one with --store or HARVESTMAN_STORE.`
    throw new EngineError(error.code, error.message, { cause: error, details: { ...error.details, step } })
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `The config file ${file} cannot be read. Check its path.`, { cause })
  }
}
