import { z } from 'zod'

import { keepSchema, limitsSchema } from '@harvestman/core/schema'
import { liveLimitsSchema } from '@harvestman/live/options'

/** Setting groups whose schemas are defined by the packages that use them, so that new settings appear here automatically. */
export const groupSchemas = { limits: limitsSchema(), keep: keepSchema(), live: liveLimitsSchema } as const

type Groups = typeof groupSchemas
export type Group = keyof Groups
/** Full name of a setting in a group, such as `limits.concurrency`. */
export type GroupKey = { [Name in Group]: `${Name}.${keyof Groups[Name]['shape'] & string}` }[Group]

/** Returns whether a setting is a group of settings, such as `limits`. */
export const isGroup = (key: string): key is Group => Object.hasOwn(groupSchemas, key)

/** Returns the schema of a group in a configuration. Numeric strings from the environment are converted. */
export function groupOf<Schema extends z.ZodType>(schema: Schema) {
  // Cast: every group has defaults for its required settings.
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

/** Environment variables of all group settings, such as `HARVESTMAN_LIMITS_CONCURRENCY`. */
export const groupNames = Object.fromEntries(
  Object.entries(groupSchemas).flatMap(([group, { shape }]) =>
    Object.keys(shape).map((key) => [`${group}.${key}`, [nameOf(`${group}.${key}`)] as const]),
  ),
  // Cast: the entries have the same keys.
) as Readonly<Record<GroupKey, readonly [string]>>

function nameOf(key: string): string {
  const words = key.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
  return `HARVESTMAN_${words.toUpperCase()}`
}

/** Returns settings by full name. In a file, a group may be an object, as `createEngine` takes it, or separate full names. */
export function fullNames(file: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(file).flatMap(([key, value]) => {
    if (!isGroup(key) || typeof value !== 'object' || value === null) return [[key, value] as const]
    return Object.entries(value).map(([name, each]) => [`${key}.${name}`, each] as const)
  })
}

/** Converts settings by full name, such as `group.name`, to a nested configuration: the reverse of `fullNames`. */
export function inGroups(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const together = Map.groupBy(values, ([key]) => key.split('.', 1)[0] ?? '')
  return Object.fromEntries(
    [...together].map(([group, entries]) => {
      const own = entries.map(([key, value]) => [key.slice(group.length + 1), value] as const)
      return [group, values.has(group) ? values.get(group) : Object.fromEntries(own)]
    }),
  )
}
