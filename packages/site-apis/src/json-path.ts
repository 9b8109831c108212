import { isRecord, type Json } from '@harvestman/ports'
import type { Bounds } from '@harvestman/toolbox/json-scanner'

/** Returns the value at a path of keys and indexes, or `undefined`. */
export function valueAt(root: Json | undefined, path: readonly string[]): Json | undefined {
  let value = root
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)] as Json | undefined
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

/** Returns a copy with another value at a path. Missing objects are added. */
export function withValueAt(root: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value
  if (Array.isArray(root))
    return root.map((one: Json, index) => (String(index) === key ? withValueAt(one, rest, value) : one))
  const old = isRecord(root) ? root : {}
  const inner: Json = Object.hasOwn(old, key) ? (old[key] ?? null) : {}
  return Object.fromEntries([
    ...Object.entries(old).filter(([name]) => name !== key),
    [key, withValueAt(inner, rest, value)],
  ])
}

const maxVisited = 20_000
const maxDepth = 12
/** Limits of JSON of which `visitJson` visits all values. */
export const visitedBounds: Bounds = { entries: maxVisited - 1, keys: Infinity, depth: maxDepth, text: Infinity }

/** Visits values of a JSON document with their paths, the outer ones first: at most 20,000 values, 12 levels deep. */
export function visitJson(root: Json, visit: (value: Json, path: readonly string[]) => void): void {
  const waiting: { readonly value: Json; readonly path: readonly string[] }[] = [{ value: root, path: [] }]
  for (const { value, path } of waiting) {
    visit(value, path)
    if (path.length >= maxDepth || typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (waiting.length >= maxVisited) break
      waiting.push({ value: inner as Json, path: [...path, key] })
    }
  }
}
