import { z } from 'zod'

import type { Json } from '../ports/value.ts'

/** A schema of a library that can say itself as JSON Schema, as zod 4 can (the interface is that of Standard Schema). */
export interface SchemaOfLibrary<Output = unknown> {
  readonly '~standard': {
    readonly vendor: string
    readonly types?: { readonly output: Output } | undefined
    readonly jsonSchema: { readonly output: (options: { readonly target: 'draft-2020-12' }) => object }
  }
}

/** The most letters of a JSON Schema, printed. */
export const longestJsonSchema = 100_000

const plain = z
  .record(z.string(), z.unknown())
  .refine((schema) => JSON.stringify(schema).length <= longestJsonSchema, {
    message: `must have at most ${longestJsonSchema} characters as JSON`,
  })
  .transform((schema) => schema as { [key: string]: Json })
  .meta({ maxProperties: 1_000 })

/** JSON Schema, or a schema of a library, which becomes JSON Schema. */
// Cast: zod takes anything before a preprocess; callers are told what makes sense.
export const jsonSchema = z.preprocess(toJsonSchema, plain) as unknown as z.ZodType<
  { [key: string]: Json },
  Readonly<Record<string, unknown>> | SchemaOfLibrary
>

function toJsonSchema(input: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof input !== 'object' || input === null || !('~standard' in input)) return refuseOlder(input, context)
  try {
    const standard = (input as Partial<SchemaOfLibrary>)['~standard']
    if (standard?.jsonSchema) return { ...standard.jsonSchema.output({ target: 'draft-2020-12' }) }
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'has a part that JSON Schema cannot say, such as a date or a transform; use plain types',
    })
    return z.NEVER
  }
  return refuseOlder(input, context)
}

function refuseOlder(input: unknown, context: z.core.$RefinementCtx): unknown {
  const isOfLibrary = typeof input === 'object' && input !== null && ('~standard' in input || '_def' in input)
  if (!isOfLibrary) return input
  context.addIssue({
    code: 'custom',
    message: 'is a schema of a library that cannot print JSON Schema; use zod 4.2 or newer, or give JSON Schema',
  })
  return z.NEVER
}
