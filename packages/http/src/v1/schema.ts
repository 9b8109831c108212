import { z } from 'zod'

import type { Schemas } from '../route/route.ts'

/** Options of a page that only version 2 has. */
const newOptions = ['profile', 'person', 'redactPII', 'threatProtection', 'lockdown'] as const

/** Returns a copy of the fields without those that only version 2 has. */
export function withoutNewOptions<Fields extends object>(fields: Fields): Omit<Fields, (typeof newOptions)[number]> {
  const rest = { ...fields }
  for (const option of newOptions) Reflect.deleteProperty(rest, option)
  return rest
}

/**
 * Returns the scrape request schema of version 1: the engine's options, which have the same names, and older ways to request a
 * format. Limits are the engine's; absent options stay absent, so that the engine applies its defaults.
 */
export function v1ScrapeSchema(scrape: Schemas['scrape']) {
  const { formats, ...options } = withoutNewOptions(scrape.in.shape)
  const [words, objects] = formats.unwrap().element.options
  const extraction = (options as Record<string, z.ZodType | undefined>)['jsonOptions'] ?? z.undefined()
  return z.strictObject({
    ...(mapValues(options, withoutDefault) as Optional<typeof options>),
    formats: z.array(z.union([z.enum([...words.options, 'extract']), objects])).optional(),
    jsonOptions: extraction,
    extract: extraction.describe('The options of the format extract.'),
    geolocation: withoutDefault(options.location).describe('The former name of location.') as z.ZodOptional<
      typeof options.location
    >,
  })
}

export type V1Request = z.output<ReturnType<typeof v1ScrapeSchema>>

type Optional<Shape extends Record<string, z.ZodType>> = {
  [Key in keyof Shape]: Key extends 'url' ? Shape[Key] : z.ZodOptional<Shape[Key]>
}

/**
 * Returns the type without its default: optional, so that an absent value stays absent. Other types are returned
 * unchanged.
 */
export function withoutDefault(type: z.ZodType): z.ZodType {
  const isFilledIn = type instanceof z.ZodDefault || type instanceof z.ZodPrefault
  return isFilledIn ? (type.unwrap() as z.ZodType).optional() : type
}

/** Returns a record with the same keys and changed values. */
export function mapValues<Value, Out>(record: Readonly<Record<string, Value>>, change: (value: Value) => Out) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/**
 * Returns the document schema of version 1, which also has `extract` and `llm_extraction`. With `status`, for results that are
 * read later by id, it has no `metadata.url`. A schema that is no object is returned unchanged.
 */
export function v1DocumentSchema(document: Schemas['document'], as: 'answer' | 'status'): z.ZodType {
  if (!(document instanceof z.ZodObject)) return document
  const { json = z.unknown(), metadata } = document.shape as Record<string, z.ZodType | undefined>
  const copies = { extract: json.optional(), llm_extraction: json.optional() }
  const isOmitting = as === 'status' && metadata instanceof z.ZodObject
  return document.extend({ ...copies, ...(isOmitting && { metadata: metadata.omit({ url: true }) }) })
}
