// Reads the configuration of a server from its sources.
import { dirname } from 'node:path'

import { check } from '@harvestman/core/schema'
import { EngineError } from '@harvestman/ports'

import { withoutComments } from './jsonc.ts'
import { fromFolder } from './plugins.ts'
import { fullNames, inGroups } from './setting-groups.ts'
import { environmentNames } from './setting-variables.ts'
import { configSchema, type Config, type SettingKey } from './settings.ts'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Sources of a configuration. */
export interface ConfigSources {
  readonly env?: Environment
  /** Content and name of a config file. */
  readonly file?: { readonly name: string; readonly text: string }
  /** Settings from the command line or from code; they take precedence. */
  readonly given?: Readonly<Record<string, unknown>>
}

/** A configuration and the origins of its values. */
export interface ReadConfig {
  readonly config: Config
  /** The origin of each value that is not a default. */
  readonly origins: Readonly<Partial<Record<SettingKey, string>>>
}

/**
 * Merges the sources in this order of precedence: given settings, environment, file, defaults. Empty strings count as not set.
 * Throws `invalid_request` if the file is no JSON object, a setting is unknown, or a value is invalid; the error names the
 * source of the value.
 */
export function readConfig({ env = {}, file, given = {} }: ConfigSources): ReadConfig {
  const values = new Map<string, unknown>()
  const origins: Partial<Record<SettingKey, string>> = {}
  const take = (key: string, value: unknown, origin: string): void => {
    if (value === undefined || value === '') return
    values.set(key, value)
    origins[key as SettingKey] = origin
  }
  if (file) for (const [key, value] of fullNames(parseFile(file))) take(key, value, file.name)
  for (const [key, names] of Object.entries(environmentNames)) {
    const name = names.find((candidate) => env[candidate])
    if (name) take(key, env[name], name)
  }
  for (const [key, value] of Object.entries(given)) take(key, value, 'command line')
  try {
    const config = check(configSchema, inGroups(values))
    if (!file || origins.plugins !== file.name) return { config, origins }
    return { config: { ...config, plugins: [...fromFolder(config.plugins, dirname(file.name))] }, origins }
  } catch (error) {
    throw EngineError.is(error) ? namingOrigins(error, origins) : error
  }
}

function parseFile({ name, text }: { readonly name: string; readonly text: string }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(withoutComments(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new EngineError('invalid_request', `The config file ${name} is not JSON. Check its commas and quotes.`, {
      cause,
    })
  }
  throw new EngineError('invalid_request', `The config file ${name} must hold one JSON object.`)
}

/** Adds the origin of the invalid setting to the message, since operators know the name that they set. */
function namingOrigins(error: EngineError, origins: Readonly<Partial<Record<SettingKey, string>>>): EngineError {
  const key = Object.keys(origins).find((name) => error.message.startsWith(name)) as SettingKey | undefined
  const origin = key && origins[key]
  if (!key || !origin) return error
  return new EngineError('invalid_request', `${error.message} (from ${origin})`, {
    details: error.details,
    cause: error,
  })
}
