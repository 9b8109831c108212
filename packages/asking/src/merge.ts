import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'

/**
 * Returns a copy of a schema for one part of a page: nothing is required, because another part may have it, and properties with
 * a `type` and no `enum` may be `null`. List items stay strict.
 */
export function loosenSchema(schema: JsonSchema): JsonSchema {
  const { required: _, minProperties: __, minItems: ___, properties, ...rest } = schema
  if (!isRecord(properties)) return rest
  const loose = Object.entries(properties).map(([name, part]) => [
    name,
    isRecord(part) ? orNull(loosenSchema(part)) : part,
  ])
  return { ...rest, properties: Object.fromEntries(loose) }
}

/** Also allows `null`. Models return it for missing values even if told to omit them. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (type === undefined || schema['enum'] !== undefined) return schema
  return { ...schema, type: [...new Set([type].flat()), 'null'] as readonly Json[] }
}

/**
 * Merges values into one: the first value that is neither `null` nor an empty string wins, lists are concatenated without
 * duplicates, objects are merged. Returns `null` for no values.
 */
export function mergeValues(values: readonly Json[]): Json {
  return values.reduce<Json>((sum, value) => mergeTwo(sum, value), null)
}

function mergeTwo(one: Json, other: Json): Json {
  if (isEmpty(one)) return other
  if (isEmpty(other)) return one
  if (isList(one) && isList(other)) return joined(one, other)
  if (!isRecord(one) || !isRecord(other)) return one
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const entries = [...names].map((name) => [name, mergeTwo(valueAt(one, name), valueAt(other, name))] as const)
  // Omits fields that no part has.
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

function valueAt(value: JsonSchema, name: string): Json {
  return (Object.hasOwn(value, name) ? value[name] : null) ?? null
}

function joined(one: readonly Json[], other: readonly Json[]): Json {
  const seen = new Set(one.map((item) => JSON.stringify(item)))
  return [...one, ...other.filter((item) => !seen.has(JSON.stringify(item)))]
}

function isEmpty(value: Json): boolean {
  return value === null || value === ''
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
