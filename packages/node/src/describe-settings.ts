import type { z } from 'zod'

import { describeSchema, type DescribedSchema } from '@harvestman/core/schema'

import { environmentNames } from './setting-variables.ts'
import { configSchema, type SettingKey } from './settings.ts'
import { groupSchemas } from './setting-groups.ts'

/** A setting: its name, its environment variables and its description. */
export interface Setting {
  readonly key: SettingKey
  readonly names: readonly string[]
  readonly about: DescribedSchema
}

/** Returns all settings, for documentation and help. */
export function describeSettings(): readonly Setting[] {
  const own = Object.entries(configSchema.shape).map(([key, schema]) => [key, describe(schema)] as const)
  const grouped = Object.entries(groupSchemas).flatMap(([group, schema]) =>
    Object.entries(describeSchema(schema).properties ?? {}).map(([key, about]) => [`${group}.${key}`, about] as const),
  )
  const all: Readonly<Record<string, DescribedSchema>> = Object.fromEntries([...own, ...grouped])
  // Cast: the object has exactly the keys of the type.
  return Object.entries(environmentNames).map(([key, names]) => ({
    key: key as SettingKey,
    names,
    about: all[key] ?? {},
  }))
}

/** Adds the default, which JSON Schema lacks for values that are transformed from strings. */
function describe(schema: z.ZodType): DescribedSchema {
  const usual = schema.safeParse(undefined)
  return { ...describeSchema(schema), ...(usual.success && usual.data !== undefined && { default: usual.data }) }
}
