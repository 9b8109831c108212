import { z } from 'zod'

export type Fields = Readonly<Record<string, z.ZodType>>

/** The fields of the object that a schema reads, whatever it makes of it; none when it reads something else. */
export function fieldsOf(schema: z.ZodType): Fields {
  if (schema instanceof z.ZodObject) return schema.shape
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType)
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault
  return isWrapped ? fieldsOf(schema.unwrap() as z.ZodType) : {}
}
