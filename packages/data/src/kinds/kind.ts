// Formats for well-known things, such as products. They read structured data and visible text without a model.
import { defineFormat, rawHtml } from '@harvestman/core/plugin'
import { EngineError, type Json } from '@harvestman/ports'
import { z } from 'zod'

const scalar = z.union([z.string(), z.number(), z.boolean()])
const evidence = z.object({
  quote: z.string(),
  method: z.string(),
  selector: z.string(),
  pointer: z.string().optional(),
  position: z.number(),
  confidence: z.number().optional(),
})

/** The result from the parser thread. */
const filledSchema = z.object({
  value: z.record(z.string(), z.unknown()).optional(),
  evidence: z.record(z.string(), evidence),
})

/** Values by field name. */
export type Found = Readonly<Record<string, unknown>>

/** A kind of thing, such as a product. */
export interface Kind<Type extends string, Shape extends z.ZodRawShape> {
  readonly type: Type
  /** Its name in error messages. */
  readonly called: string
  /** The fields to extract, as JSON Schema properties. */
  readonly fields: Readonly<Record<string, Json>>
  readonly shape: Shape
  /** Builds the value of the format. Returns `undefined` if the page has no such thing. */
  make(found: Found, url: string): unknown
}

const evidenceOption = z
  .boolean()
  .meta({ title: 'Evidence', description: 'Say where each value stands, and how sure it is.' })
  .default(false)

/** Returns the format for a kind. */
export function kindFormat<const Type extends string, Shape extends z.ZodRawShape>({
  type,
  called,
  fields,
  shape,
  make,
}: Kind<Type, Shape>) {
  const value = z.object(shape)
  return defineFormat({
    type,
    options: z.object({ evidence: evidenceOption }),
    value: z.intersection(value, z.object({ evidence: z.record(z.string(), evidence).optional() })),
    needs: { rawHtml },
    onFailure: 'warn',
    derive: async ({ rawHtml }, { options, page, read }) => {
      const schema = { type: 'object', properties: fields }
      const filled = filledSchema.parse(await read({ url: page.url, html: rawHtml }, 'filled', { schema }))
      const made = filled.value && make(filled.value, page.url)
      if (made === undefined) throw new EngineError('format_failed', `No ${called} found on this page.`)
      return { ...value.parse(made), ...(options.evidence && { evidence: filled.evidence }) }
    },
  })
}

/** Renames fields and omits missing ones. */
export function named(found: Found, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => (found[field] === undefined ? [] : [[name, found[field]]])),
  )
}

/** Whether a field has a string, number or boolean. */
export function has(found: Found, field: string): boolean {
  return scalar.safeParse(found[field]).success
}
