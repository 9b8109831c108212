import { z } from 'zod'

import { isSchemaFault, readJsonSchema } from '@harvestman/json-schema'
import type { Json, JsonSchema } from '@harvestman/ports'

/** A schema of a library that can convert itself to JSON Schema, such as zod 4. The interface is part of Standard Schema. */
export interface SchemaOfLibrary<Output = unknown> {
  readonly '~standard': {
    readonly vendor: string
    readonly types?: { readonly output: Output } | undefined
    /** Parses a value: applies defaults, transforms and rules. Without it, values are returned unchanged. */
    readonly validate?: (value: unknown) => Parsed<Output> | Promise<Parsed<Output>>
    readonly jsonSchema: {
      /** JSON Schema of the input. */
      readonly input?: (options: { readonly target: 'draft-2020-12' }) => object
      /** JSON Schema of the output. */
      readonly output: (options: { readonly target: 'draft-2020-12' }) => object
    }
  }
}

type Parsed<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema in a request of an app: JSON Schema, or a schema of a library. */
export type SchemaInput = Readonly<Record<string, unknown>> | SchemaOfLibrary

/** Type of the values that conform to a schema. */
export type OutputOf<Schema> = [Schema] extends [SchemaOfLibrary<infer Output>] ? Output : Json

/** Maximum length of a serialized JSON Schema, in characters. */
export const maxJsonSchemaLength = 100_000

const plain = z
  .record(z.string(), z.unknown())
  .refine((schema) => JSON.stringify(schema).length <= maxJsonSchemaLength, {
    message: `must have at most ${maxJsonSchemaLength} characters as JSON`,
  })
  .refine((schema) => !hasAnyProperty(schema), {
    message:
      'is a schema-less dictionary, or contains one: an object with additionalProperties: true and without properties, which OpenAI models refuse. List the properties.',
  })
  .superRefine((schema, context) => {
    const read = readJsonSchema(schema as JsonSchema)
    if (!isSchemaFault(read)) return
    const message = `Invalid JSON schema: it ${read.problem}`
    context.addIssue({ code: 'custom', message, params: { isOfPublicApi: true } })
  })
  .transform((schema) => schema as { [key: string]: Json })
  .meta({ maxProperties: 1_000, contentMediaType: 'application/schema+json' })

/** JSON Schema, or a schema of a library, which is converted to the JSON Schema of its input. `parseBy` parses values later. */
// Cast: zod types the input of a preprocess as unknown; this is what callers may pass.
export const jsonSchema = z.preprocess(toJsonSchema, plain) as z.ZodType<{ [key: string]: Json }, SchemaInput>

/** Returns whether a schema contains an object whose properties are neither listed nor described. References are not followed. */
function hasAnyProperty(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || '$ref' in schema) return false
  const { type, properties, patternProperties, additionalProperties } = schema as Readonly<Record<string, unknown>>
  if (type === 'object' && additionalProperties === true && !properties && !patternProperties) return true
  return Object.values(schema).some(hasAnyProperty)
}

/** Returns whether a value is a schema of a library that can convert itself to JSON Schema. */
export function isSchemaOfLibrary(input: unknown): input is SchemaOfLibrary {
  const standard = typeof input === 'object' && input !== null && '~standard' in input ? input['~standard'] : undefined
  return typeof standard === 'object' && standard !== null && 'jsonSchema' in standard
}

const maxIssues = 20

/**
 * Parses a value with a schema of a library. Returns the parsed value, or up to 20 error messages. A schema that cannot
 * validate returns the value unchanged. Rejects with whatever the schema throws.
 */
export async function parseBy<Output>(
  schema: SchemaOfLibrary<Output>,
  value: unknown,
): Promise<{ readonly value: unknown } | { readonly problems: readonly string[] }> {
  const { validate } = schema['~standard']
  if (!validate) return { value }
  const parsed = await validate(value)
  if (!parsed.issues) return { value: parsed.value }
  return { problems: parsed.issues.slice(0, maxIssues).map(messageOf) }
}

function messageOf({ path = [], message }: SchemaIssue): string {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return steps.length === 0 ? message : `${steps.join('.')}: ${message}`
}

function toJsonSchema(input: unknown, context: z.core.$RefinementCtx): unknown {
  if (!isSchemaOfLibrary(input)) return refuseOlder(input, context)
  try {
    const { jsonSchema: say } = input['~standard']
    const target = { target: 'draft-2020-12' } as const
    return { ...(say.input ? say.input(target) : say.output(target)) }
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'has a part that JSON Schema cannot express, such as a date or a map; use a string with .transform()',
    })
    return z.NEVER
  }
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

/** Any JSON value. */
// Cast: the value is checked by the code that produces it, and any value is allowed here.
export const jsonValue = z.unknown() as z.ZodType<Json, Json>
