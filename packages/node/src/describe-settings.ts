import type { z } from 'zod'

import { describeSchema, type DescribedSchema } from '@harvestman/core/schema'

import { configSchema, environmentNames, type SettingKey } from './config.ts'
import { groupSchemas } from './setting-groups.ts'

/** A setting: its name, its names in the environment, and what it is for. */
export interface Setting {
  readonly key: SettingKey
  readonly names: readonly string[]
  readonly about: DescribedSchema
}

/** Every setting that there is, for documentation and help. */
export function describeSettings(): readonly Setting[] {
  const own = Object.entries(configSchema.shape).map(([key, schema]) => [key, describe(schema)] as const)
  const grouped = Object.entries(groupSchemas).flatMap(([group, schema]) =>
    Object.entries(describeSchema(schema).properties ?? {}).map(([key, about]) => [`${group}.${key}`, about] as const),
  )
  const all: Readonly<Record<string, DescribedSchema>> = Object.fromEntries([...own, ...grouped])
  // Cast: the names are those of the type.
  return Object.entries(environmentNames).map(([key, names]) => ({
    key: key as SettingKey,
    names,
    about: all[key] ?? {},
  }))
}

/** Of what is read from a text, JSON Schema does not know the default. */
function describe(schema: z.ZodType): DescribedSchema {
  const usual = schema.safeParse(undefined)
  return { ...describeSchema(schema), ...(usual.success && usual.data !== undefined && { default: usual.data }) }
}
