import { z } from 'zod'

/** JSON Schema with additional keywords for forms, help and documentation, such as the title and the unit of each field. */
export interface DescribedSchema {
  readonly title?: string
  readonly description?: string
  readonly unit?: string
  /** Requirement for the option to have an effect. Completes "Needs …". */
  readonly needs?: string
  /** Group of the option in a form. */
  readonly group?: string
  readonly order?: number
  /** Description of the default, if it depends on the host. */
  readonly defaultText?: string
  /** Effect of `false`, for the help of a flag that turns off an option whose default is `true`. */
  readonly whenFalse?: string
  readonly deprecated?: boolean
  /** True if values of the option contain credentials. They are encrypted in stored requests. */
  readonly secret?: boolean
  readonly default?: unknown
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: DescribedSchema
  readonly anyOf?: readonly DescribedSchema[]
  readonly oneOf?: readonly DescribedSchema[]
  readonly properties?: Readonly<Record<string, DescribedSchema>>
  readonly required?: readonly string[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, DescribedSchema>>
  readonly [bound: string]: unknown
}

/**
 * Converts a schema to JSON Schema, either of its input or of its output. A type that JSON Schema cannot express accepts any
 * value.
 */
export function describeSchema(schema: z.ZodType, io: 'input' | 'output' = 'input'): DescribedSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as DescribedSchema
}
