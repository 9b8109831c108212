// Checks the length of lists and objects before validation, so that a list of millions of entries is not validated one by one.
import { isRecord } from '@harvestman/ports'
import { z } from 'zod'

/** A list or an object in a request that exceeds the limit of its schema. */
export interface TooLarge {
  readonly path: readonly (string | number)[]
  readonly origin: 'array' | 'record'
  readonly maximum: number
}

type Path = readonly (string | number)[]
type Probe = (value: unknown, path: Path) => TooLarge | undefined

/** Maximum number of keys in an object with fixed keys, including unknown ones. With more, they are not validated. */
const maxKeys = 1_000

// Cached per schema; null if the schema contains no lists or objects.
const probes = new WeakMap<z.core.$ZodType, Probe | null>()

/**
 * Returns the first list or object that has more entries than its schema allows, or more than 1,000 keys if these are fixed;
 * `undefined` if there is none.
 */
export function findTooLarge(schema: z.core.$ZodType, input: unknown): TooLarge | undefined {
  return probeOf(schema)?.(input, [])
}

function probeOf(schema: z.core.$ZodType): Probe | null {
  const known = probes.get(schema)
  if (known !== undefined) return known
  const probe = makeProbe(schema)
  probes.set(schema, probe)
  return probe
}

function makeProbe(schema: z.core.$ZodType): Probe | null {
  if (schema instanceof z.ZodArray) return listProbe(schema)
  if (schema instanceof z.ZodRecord) return recordProbe(schema)
  if (schema instanceof z.ZodObject) return objectProbe(schema)
  if (schema instanceof z.ZodUnion) return firstOf(schema.options.map(probeOf))
  const inner = innerOf(schema)
  return inner ? probeOf(inner) : null
}

/** Returns the schema that another one wraps. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodTransform ? schema.out : schema.in
  return (schema._zod.def as { readonly innerType?: z.core.$ZodType }).innerType
}

/** Returns whether a schema contains lists or objects, without making probes. */
function hasProbe(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray || schema instanceof z.ZodRecord || schema instanceof z.ZodObject) return true
  if (schema instanceof z.ZodUnion) return schema.options.some(hasProbe)
  const inner = innerOf(schema)
  return inner !== undefined && hasProbe(inner)
}

function listProbe(schema: z.ZodArray): Probe {
  const maximum = maximumOf(schema)
  const inner = probeOf(schema.element)
  return (value, path) => {
    if (!Array.isArray(value)) return undefined
    if (value.length > maximum) return { path, origin: 'array', maximum }
    return inner ? firstFound(value.entries(), inner, path) : undefined
  }
}

function maximumOf({ def: { checks = [] } }: z.ZodArray): number {
  const maxima = checks.map(({ _zod: { def } }) => (def as { readonly maximum?: number }).maximum ?? Infinity)
  return Math.min(Infinity, ...maxima)
}

function recordProbe(schema: z.ZodRecord): Probe {
  const { maxProperties } = (z.globalRegistry.get(schema) ?? {}) as { readonly maxProperties?: number }
  const maximum = maxProperties ?? Infinity
  return (value, path) =>
    isRecord(value) && Object.keys(value).length > maximum ? { path, origin: 'record', maximum } : undefined
}

function objectProbe(schema: z.ZodObject): Probe {
  let fields: readonly [string, z.core.$ZodType][] | undefined
  return (value, path) => {
    if (!isRecord(value)) return undefined
    if (Object.keys(value).length > maxKeys) return { path, origin: 'record', maximum: maxKeys }
    fields ??= Object.entries(schema.shape).filter(([, field]) => hasProbe(field))
    for (const [key, field] of fields) {
      // Most inputs have few of the fields, so the others get no probe.
      const found = key in value ? probeOf(field)?.(value[key], [...path, key]) : undefined
      if (found) return found
    }
    return undefined
  }
}

function firstOf(some: readonly (Probe | null)[]): Probe | null {
  const wanted = some.filter((probe) => probe !== null)
  if (wanted.length === 0) return null
  return (value, path) => {
    for (const probe of wanted) {
      const found = probe(value, path)
      if (found) return found
    }
    return undefined
  }
}

function firstFound(entries: Iterable<[number, unknown]>, probe: Probe, path: Path): TooLarge | undefined {
  for (const [index, value] of entries) {
    const found = probe(value, [...path, index])
    if (found) return found
  }
  return undefined
}
