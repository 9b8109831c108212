// Suggestions for misspelled and missing keys.
import { z } from 'zod'

import { nearestOf } from '@harvestman/toolbox/choices'

/**
 * Returns the key that the schema allows at this path and that is spelled almost like the given one (see `nearestOf`);
 * `undefined` if there is none.
 */
export function similarKey(
  schema: z.core.$ZodType,
  path: readonly (string | number)[],
  key: string,
): string | undefined {
  return nearestOf(key, new Set(objectsAt(schema, path).flatMap(({ shape }) => Object.keys(shape))))
}

/**
 * Returns the keys that every object needs which the schema allows at this path. Includes keys for which it is not known, because
 * their schema throws or is asynchronous.
 */
export function requiredKeys(schema: z.core.$ZodType, path: readonly (string | number)[]): readonly string[] {
  const [first = [], ...others] = objectsAt(schema, path).map(({ shape }) =>
    Object.keys(shape).filter((key) => !isOptional(shape[key])),
  )
  return first.filter((key) => others.every((keys) => keys.includes(key)))
}

function isOptional(schema: z.core.$ZodType): boolean {
  try {
    // Async, so that the result of an asynchronous check is returned, and its rejection is handled.
    const result = schema._zod.run({ value: undefined, issues: [] }, { async: true })
    if (!(result instanceof Promise)) return result.issues.length === 0
    result.catch(() => undefined)
    return false
  } catch {
    // The code of a plugin may not expect `undefined`.
    return false
  }
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
