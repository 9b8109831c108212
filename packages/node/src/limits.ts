import type { Config } from './settings.ts'
import { describeSettings, type Setting } from './describe-settings.ts'
import { isGroup } from './setting-groups.ts'

/** A limit of a server, with its current value and its setting. */
export interface Limit {
  /** The name of the setting, such as `limits.concurrency`. */
  readonly setting: string
  /** Its preferred environment variable. */
  readonly variable: string
  /** `undefined` if there is no limit. */
  readonly value: number | undefined
  readonly unit: string | undefined
  readonly description: string
}

/** Limits outside of setting groups, with their units. */
const single: Readonly<Record<string, string>> = { timeout: 'ms', uploadBytes: 'bytes', filesBytes: 'bytes' }

/** Returns every limit of a server with this configuration, with the name of its setting. */
export function limitsOf(config: Config): readonly Limit[] {
  return describeSettings()
    .filter(({ key }) => key.includes('.') || Object.hasOwn(single, key))
    .map((setting) => limitOf(config, setting))
}

function limitOf(config: Config, { key, names: [variable = ''], about }: Setting): Limit {
  const value = valueOf(config, key)
  return {
    setting: key,
    variable,
    value: typeof value === 'number' && Number.isFinite(value) ? value : undefined,
    unit: about.unit ?? single[key],
    description: about.description ?? '',
  }
}

function valueOf(config: Config, key: string): unknown {
  const [group = '', name] = key.split('.')
  if (name !== undefined && isGroup(group)) return new Map<string, unknown>(Object.entries(config[group])).get(name)
  return new Map<string, unknown>(Object.entries(config)).get(key)
}
