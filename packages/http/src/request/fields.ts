import { z } from 'zod'

export type Fields = Readonly<Record<string, z.ZodType>>

/**
 * Returns the fields of a schema's input object, ignoring transforms and defaults. Returns none if the input is not an object.
 */
export function fieldsOf(schema: z.ZodType): Fields {
  if (schema instanceof z.ZodObject) return schema.shape
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType)
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault
  return isWrapped ? fieldsOf(schema.unwrap() as z.ZodType) : {}
}
