import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'

const deepest = 40

/**
 * Converts values to the type in the schema where this is unambiguous: `"12"` to a number, `"true"` to a boolean, and `null` of
 * an optional property to absent. Returns everything else unchanged, for the validation to check.
 */
export function coerceToSchema(value: Json, schema: Json | undefined, depth = 0): Json {
  if (!isRecord(schema) || depth > deepest) return value
  const types = [schema['type']].flat()
  if (isList(value)) return value.map((item) => coerceToSchema(item, schema['items'], depth + 1))
  if (isRecord(value)) return mendObject(value, schema, depth)
  if (typeof value !== 'string' || types.includes('string') || types.length !== 1) return value
  return mendText(value, types[0])
}

function mendText(text: string, type: Json | undefined): Json {
  const plain = text.trim()
  const isNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(plain)
  if (isNumber && (type === 'number' || (type === 'integer' && Number.isSafeInteger(Number(plain)))))
    return Number(plain)
  if (type === 'boolean' && /^(true|false)$/i.test(plain)) return plain.toLowerCase() === 'true'
  return text
}

function mendObject(value: JsonSchema, schema: JsonSchema, depth: number): JsonSchema {
  const { properties, required } = schema
  if (!isRecord(properties)) return value
  const must = new Set<unknown>(isList(required) ? required : [])
  const mended = Object.entries(value).flatMap(([name, part]) => {
    const rule = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (part === undefined) return []
    if (part === null && rule !== undefined && !must.has(name) && !allowsNull(rule)) return []
    return [[name, coerceToSchema(part, rule, depth + 1)] as const]
  })
  return Object.fromEntries(mended)
}

function allowsNull(rule: Json): boolean {
  if (!isRecord(rule)) return true
  const { type, nullable } = rule
  // Without a type, or with other keywords, leave it to the validation.
  return type === undefined || nullable === true || [type].flat().includes('null')
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
