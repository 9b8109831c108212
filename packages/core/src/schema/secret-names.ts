import { z } from 'zod'

/** Returns the names of all options in these schemas whose meta has `secret: true`. They are encrypted in stored requests. */
export function secretNames(schemas: readonly z.ZodType[]): ReadonlySet<string> {
  const names = new Set<string>()
  collect(schemas, names, new Set())
  return names
}

function collect(part: unknown, names: Set<string>, seen: Set<unknown>): void {
  if (Array.isArray(part)) for (const one of part) collect(one, names, seen)
  if (!(part instanceof z.ZodType) || seen.has(part)) return
  seen.add(part)
  if (part instanceof z.ZodObject) {
    for (const [name, option] of Object.entries<unknown>(part.shape)) {
      if (isSecret(option)) names.add(name)
      collect(option, names, seen)
    }
  }
  for (const inner of partsOf(part)) collect(inner, names, seen)
}

/** Returns whether the meta of a schema, or of a schema that it wraps, has `secret: true`. */
function isSecret(option: unknown): boolean {
  if (!(option instanceof z.ZodType)) return false
  if (z.globalRegistry.get(option)?.['secret'] === true) return true
  const { def } = option._zod
  return wrapping.some((name) => name in def && isSecret(Reflect.get(def, name)))
}

// Properties in which optional, default and transforming schemas store the schema that they wrap.
const wrapping = ['innerType', 'in', 'out'] as const

function partsOf(schema: z.core.$ZodType): readonly unknown[] {
  return schema instanceof z.ZodLazy ? [schema.unwrap()] : Object.values(schema._zod.def)
}
