// Query strings of features: converts strings to the numbers, booleans and lists of a schema.
import { z } from 'zod'

import { fieldsOf } from '../request/fields.ts'

/**
 * Returns the query string schema of an input schema. Before validation it converts strings to the numbers, booleans (`true`,
 * `false`) and comma-separated lists of the fields. Unknown parameters, and strings that cannot be converted, remain strings.
 */
export function fromQuery(input: z.ZodType): z.ZodType {
  const fields = fieldsOf(input)
  return z.preprocess((given) => {
    const texts = given as Readonly<Record<string, string>>
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        Object.hasOwn(fields, name) ? valueOf(fields[name], text) : text,
      ]),
    )
  }, input)
}

/** Returns an unconvertible string unchanged, so that the schema reports it. */
function valueOf(schema: z.ZodType | undefined, text: string): unknown {
  const type = innermost(schema)
  if (type instanceof z.ZodNumber) return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (type instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text
  if (type instanceof z.ZodArray)
    return text === '' ? [] : text.split(',').map((one) => valueOf(type.element as z.ZodType, one))
  return text
}

function innermost(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return innermost(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodCatch) return innermost(schema.unwrap() as z.ZodType)
  return schema
}
