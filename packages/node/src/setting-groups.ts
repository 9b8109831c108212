import { z } from 'zod'

import { keepSchema, limitsSchema } from '@harvestman/core/schema'
import { liveLimitsSchema } from '@harvestman/live/options'

/** Settings whose schema stands where they are used: what that has, every configuration has, so that none is forgotten here. */
export const groupSchemas = { limits: limitsSchema(), keep: keepSchema(), live: liveLimitsSchema } as const

type Groups = typeof groupSchemas
export type Group = keyof Groups
/** A setting of a group by its whole name, as `limits.concurrency`. */
export type GroupKey = { [Name in Group]: `${Name}.${keyof Groups[Name]['shape'] & string}` }[Group]

export const isGroup = (key: string): key is Group => Object.hasOwn(groupSchemas, key)

/** A group as a part of a configuration. In the environment its values are texts. */
export function groupOf<Schema extends z.ZodType>(schema: Schema) {
  // Cast: each group has a default for all that it must have.
  return z.preprocess(withoutTexts, schema).prefault({} as never)
}

function withoutTexts(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueOf(value)]))
}

function valueOf(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** The names in the environment of all settings of groups: `HARVESTMAN_LIMITS_CONCURRENCY`. */
export const groupNames = Object.fromEntries(
  Object.entries(groupSchemas).flatMap(([group, { shape }]) =>
    Object.keys(shape).map((key) => [`${group}.${key}`, [nameOf(`${group}.${key}`)]]),
  ),
  // Cast: the names are made of the same keys.
) as unknown as Readonly<Record<GroupKey, readonly [string]>>

function nameOf(key: string): string {
  const words = key.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
  return `HARVESTMAN_${words.toUpperCase()}`
}

/** Settings of a group may stand together, as `createEngine` takes them, or each by its whole name. */
export function wholeNames(file: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(file).flatMap(([key, value]) => {
    if (!isGroup(key) || typeof value !== 'object' || value === null) return [[key, value] as const]
    return Object.entries(value).map(([name, each]) => [`${key}.${name}`, each] as const)
  })
}

/** The reverse: values by their whole names, in the shape of a configuration. */
export function inGroups(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const together = Map.groupBy(values, ([key]) => key.split('.', 1)[0] ?? '')
  return Object.fromEntries(
    [...together].map(([group, entries]) => {
      const own = entries.map(([key, value]) => [key.slice(group.length + 1), value] as const)
      return [group, values.has(group) ? values.get(group) : Object.fromEntries(own)]
    }),
  )
}
