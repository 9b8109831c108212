// Suggestions for misspelled keys.
import { z } from 'zod'

/** Maximum length of a key to compare: the time is quadratic in the length. */
const maxKeyLength = 40
const maxEdits = 3

/** Returns the key that the schema allows at this path and that is spelled almost like the given one. */
export function similarKey(
  schema: z.core.$ZodType,
  path: readonly (string | number)[],
  key: string,
): string | undefined {
  return nearestOf(key, new Set(objectsAt(schema, path).flatMap(({ shape }) => Object.keys(shape))))
}

/** Returns the name that is spelled almost like the given one, or `undefined` if none is close enough. */
export function nearestOf(key: string, names: Iterable<string>): string | undefined {
  if (key.length > maxKeyLength) return undefined
  const most = Math.min(maxEdits, Math.floor(key.length / 3))
  const found = [...names].map((name) => ({ name, edits: editsOf(name.toLowerCase(), key.toLowerCase()) }))
  const [nearest] = found.toSorted((one, other) => one.edits - other.edits)
  return nearest && nearest.edits <= most ? nearest.name : undefined
}

function objectsAt(schema: z.core.$ZodType, path: readonly (string | number)[]): readonly z.ZodObject[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsAt(option, path))
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out].flatMap((part) => objectsAt(part, path))
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType }
  if (innerType) return objectsAt(innerType, path)
  const [step, ...rest] = path
  if (schema instanceof z.ZodArray) return objectsAt(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  const field = step === undefined ? undefined : schema.shape[step]
  return step === undefined ? [schema] : field ? objectsAt(field, rest) : []
}

/** Returns the Levenshtein distance of two strings. */
function editsOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row += 1) {
    const next = [row + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (one[row] === other[at - 1] ? 0 : 1)
      next.push(Math.min(changed, (above[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    above = next
  }
  return above.at(-1) ?? 0
}
