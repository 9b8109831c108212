import type { Json } from '@harvestman/ports'

import type { Item, Recipe } from './recipe.ts'

/** Returns a JSON Schema that all items fit. Any value may be null, and a key is required if all items have it. */
export function schemaOf(items: readonly Item[]): Recipe['schema'] {
  const properties: Record<string, Json> = {}
  for (const name of new Set(items.flatMap((item) => Object.keys(item)))) {
    const types = new Set(items.flatMap((item) => (Object.hasOwn(item, name) ? [typeOf(item[name] ?? null)] : [])))
    types.delete('null')
    properties[name] = types.size === 0 ? {} : { type: [...types, 'null'] }
  }
  const required = Object.keys(properties).filter((name) => items.every((item) => Object.hasOwn(item, name)))
  return { type: 'object', properties, required }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
