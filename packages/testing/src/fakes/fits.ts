import type { Json } from '@harvestman/core/ports'

type Schema = { readonly [key: string]: Json | undefined }
type Check = (value: Json, rule: Json, schema: Schema) => boolean

const typeOf = (value: Json): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const isObject = (value: Json): value is Schema => typeOf(value) === 'object'
const asList = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [value])

// The words of JSON Schema that requests for data are made of.
const checks: Readonly<Record<string, Check>> = {
  type: (value, rule) =>
    asList(rule).some((type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value))),
  enum: (value, rule) => asList(rule).some((one) => JSON.stringify(one) === JSON.stringify(value)),
  const: (value, rule) => JSON.stringify(rule) === JSON.stringify(value),
  required: (value, rule) =>
    !isObject(value) || asList(rule).every((name) => typeof name !== 'string' || Object.hasOwn(value, name)),
  properties: (value, rule) =>
    !isObject(value) ||
    !isObject(rule) ||
    Object.entries(rule).every(([name, schema]) => {
      const part = Object.hasOwn(value, name) ? value[name] : undefined
      return part === undefined || schema === undefined || fits(part, schema)
    }),
  additionalProperties: (value, rule, { properties }) =>
    rule !== false ||
    !isObject(value) ||
    Object.keys(value).every((name) => isObject(properties ?? null) && Object.hasOwn(properties as Schema, name)),
  items: (value, rule) => !Array.isArray(value) || (value as readonly Json[]).every((item) => fits(item, rule)),
  anyOf: (value, rule) => asList(rule).some((schema) => fits(value, schema)),
  minimum: (value, rule) => typeof value !== 'number' || value >= Number(rule),
  maximum: (value, rule) => typeof value !== 'number' || value <= Number(rule),
}

/** Whether a value is what a JSON schema asks for, as far as the schema uses common words; others are let pass. */
export function fits(value: Json, schema: Json): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) return true
  return Object.entries(schema).every(
    ([word, rule]) => rule === undefined || (checks[word]?.(value, rule, schema) ?? true),
  )
}
