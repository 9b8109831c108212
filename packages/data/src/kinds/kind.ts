// Formats for common entities, such as products. They read structured data and visible text without a model.
import { defineFormat, rawHtml } from '@harvestman/core/plugin'
import { EngineError, type Json } from '@harvestman/ports'
import { z } from 'zod'

import { filledReading } from '../readings.ts'

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

/** The page's metadata from the parser thread, which supplements the extracted fields. */
const factsSchema = z.object({
  values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  evidence: z.record(z.string(), z.union([evidence, z.array(evidence)])),
})

/** Values by field name. */
export type Found = Readonly<Record<string, unknown>>

/** A kind of entity, such as a product. */
export interface Kind<Type extends string, Shape extends z.ZodRawShape> {
  readonly type: Type
  /** Its name in error messages. */
  readonly called: string
  /** The fields to extract, as JSON Schema properties. */
  readonly fields: Readonly<Record<string, Json>>
  /** Names of metadata values to use as fields, by field name. */
  readonly facts?: Readonly<Record<string, string>>
  readonly shape: Shape
  /** Builds the value of the format. Returns `undefined` if the page has no such entity. */
  make(found: Found, url: string): unknown
}

const evidenceOption = z
  .boolean()
  .meta({ title: 'Evidence', description: 'Returns the source of each value on the page, and a confidence.' })
  .default(false)

/**
 * Returns the page format that extracts the fields of a kind, such as a product. For a page without one it fails with
 * `format_failed`, which only adds a warning to the document.
 */
export function kindFormat<const Type extends string, Shape extends z.ZodRawShape>({
  type,
  called,
  fields,
  facts = {},
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
      const source = { url: page.url, html: rawHtml }
      const filled = filledSchema.parse(await read(source, filledReading, { schema }))
      const stated = Object.keys(facts).length > 0 ? factsSchema.parse(await read(source, 'facts', {})) : undefined
      const found = { ...filled.value, ...(stated && pickFacts(stated.values, facts)) }
      const made = Object.keys(found).length > 0 ? make(found, page.url) : undefined
      if (made === undefined) throw new EngineError('format_failed', `No ${called} found on this page.`)
      const sources = { ...filled.evidence, ...(stated && pickEvidence(stated.evidence, facts)) }
      return { ...value.parse(made), ...(options.evidence && { evidence: sources }) }
    },
  })
}

/** Returns the facts of a kind. Several people become one string. */
function pickFacts(values: z.infer<typeof factsSchema>['values'], names: Readonly<Record<string, string>>): Found {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const value = values[name]
      return value === undefined ? [] : [[field, [value].flat().join(', ')]]
    }),
  )
}

function pickEvidence(
  found: z.infer<typeof factsSchema>['evidence'],
  names: Readonly<Record<string, string>>,
): Record<string, z.infer<typeof evidence>> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const [first] = [found[name] ?? []].flat()
      return first ? [[`/${field}`, first]] : []
    }),
  )
}

/** Returns the fields under new names, given as the old name by new name. Missing fields are omitted. */
export function named(found: Found, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, field]) => (found[field] === undefined ? [] : [[name, found[field]]])),
  )
}

/** Returns whether a field has a string, number or boolean. */
export function has(found: Found, field: string): boolean {
  return scalar.safeParse(found[field]).success
}
