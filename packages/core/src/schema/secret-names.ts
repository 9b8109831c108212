import type { z } from 'zod'

import { describeSchema, type DescribedSchema } from './described.ts'

/** Returns the names of all options in these schemas whose meta has `secret: true`. They are encrypted in stored requests. */
export function secretNames(schemas: readonly z.ZodType[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const schema of schemas) {
    const described = describeSchema(schema)
    collect(described, described.$defs ?? {}, names)
  }
  return names
}

type Shared = Readonly<Record<string, DescribedSchema>>

function collect(value: unknown, shared: Shared, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { properties } = value as DescribedSchema
  for (const [name, option] of Object.entries(properties ?? {})) if (isSecret(option, shared)) names.add(name)
  for (const part of Object.values(value)) collect(part, shared, names)
}

function isSecret(option: DescribedSchema, shared: Shared): boolean {
  if (option.secret === true) return true
  const name = option.$ref?.replace('#/$defs/', '')
  const target = name === undefined ? undefined : shared[name]
  return target !== undefined && target !== option && isSecret(target, shared)
}
