// A known kind of thing as a format: what a page says of it for programs, and what it shows, without a model.
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

/** What was read of a page: plain data of its thread. */
const filledSchema = z.object({
  value: z.record(z.string(), z.unknown()).optional(),
  evidence: z.record(z.string(), evidence),
})

/** Values that were found, by the name of the field. */
export type Found = Readonly<Record<string, unknown>>

/** A kind of thing. */
export interface Kind<Type extends string, Shape extends z.ZodRawShape> {
  readonly type: Type
  /** What it is called in a sentence. */
  readonly called: string
  /** What is looked for, as a JSON Schema of its properties. */
  readonly fields: Readonly<Record<string, Json>>
  readonly shape: Shape
  /** What was found as the value of the format; nothing when the page has no such thing. */
  make(found: Found, url: string): unknown
}

const evidenceOption = z
  .boolean()
  .meta({ title: 'Evidence', description: 'Say where each value stands, and how sure it is.' })
  .default(false)

/** Makes the format of a kind. */
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

/** The texts, numbers and lists among what was found, by new names; what was not found is left out. */
export function named(found: Found, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => (found[field] === undefined ? [] : [[name, found[field]]])),
  )
}

/** Whether a plain value was found. */
export function has(found: Found, field: string): boolean {
  return scalar.safeParse(found[field]).success
}
