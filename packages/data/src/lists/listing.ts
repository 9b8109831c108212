import { z } from 'zod'

const kinds = z.enum(['text', 'link', 'image', 'price', 'date', 'number', 'boolean'])
const price = z.object({ amount: z.number(), currency: z.string() })

/** Values of a row by column. */
export const itemSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), price]))

/** A column of a list. */
export const columnSchema = z.object({ name: z.string(), kind: kinds })

/** The result from the parser thread. */
export const listSchema = z.object({
  columns: z.array(columnSchema),
  rows: z.array(itemSchema),
  total: z.number().optional(),
  json: z.object({ script: z.string().optional(), url: z.string().optional(), pointer: z.string() }).optional(),
  next: z.string().optional(),
})

/** The list of a page, with the data needed to continue it. */
export const listingSchema = listSchema.extend({
  columns: z.array(columnSchema.extend({ place: z.string() })),
  ids: z.array(z.string()),
  row: z.object({ tag: z.string(), class: z.string().optional() }).optional(),
  place: z.string().optional(),
  more: z.object({ way: z.enum(['next', 'more']), selector: z.string(), words: z.string() }).optional(),
})

export type Item = z.output<typeof itemSchema>
export type ItemColumn = z.output<typeof columnSchema>
export type Listing = z.output<typeof listingSchema>
