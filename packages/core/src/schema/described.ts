import { z } from 'zod'

/** A schema as JSON Schema, with our words beside each field: its title, its meaning, its unit, and what it needs. */
export interface DescribedSchema {
  readonly title?: string
  readonly description?: string
  readonly unit?: string
  /** Requirement for the option to have an effect: the end of "Needs …". */
  readonly needs?: string
  /** Group of the option in a form. */
  readonly group?: string
  readonly order?: number
  /** The default in words, where it depends on the machine. */
  readonly defaultText?: string
  readonly deprecated?: boolean
  /** Whether values of the option hold credentials: they are encrypted in stored requests. */
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

/** Returns a schema as JSON Schema, for forms, help and documentation: of what it takes, or of what it gives. */
export function describeSchema(schema: z.ZodType, io: 'input' | 'output' = 'input'): DescribedSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as DescribedSchema
}
