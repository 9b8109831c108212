// Validates extractor programs that users edit. Limits the size of every part.
import { z } from 'zod'

const most = { alternatives: 20, fields: 100, hints: 8, lists: 20, rows: 8, print: 64, text: 300 } as const

const text = z.string().min(1).max(most.text)
const count = z.int().min(0).max(1e9)

const alternative = z
  .strictObject({
    by: z.enum(['meta', 'attribute', 'heading', 'class', 'id', 'within', 'label', 'near']),
    selector: text.exactOptional(),
    label: text.exactOptional(),
    next: z.int().min(1).max(50).exactOptional(),
    up: z.int().min(0).max(20).exactOptional(),
    attribute: z
      .string()
      .regex(/^[a-z][\w:-]{0,60}$/)
      .exactOptional(),
    pick: z.literal('first').exactOptional(),
    alone: z.literal(true).exactOptional(),
    as: z.enum(['text', 'number', 'price', 'date', 'url']),
    before: text.exactOptional(),
    after: text.exactOptional(),
    until: text.exactOptional(),
    order: z.enum(['dmy', 'mdy', 'ymd']).exactOptional(),
    right: count.min(1).default(1),
    wrong: count.default(0),
    none: count.default(0),
    silent: count.exactOptional(),
    invented: count.exactOptional(),
  })
  .refine(({ selector, label }) => selector !== undefined || label !== undefined, {
    error: 'needs a selector or a label',
  })
  .refine(({ label, next }) => label === undefined || next !== undefined, { error: 'needs next beside its label' })

const field = z.strictObject({
  many: z.boolean().exactOptional(),
  isNull: z.boolean().exactOptional(),
  expected: z.strictObject({
    minLength: count,
    maxLength: count,
    maxWords: count,
    signs: z.boolean(),
    decimals: count.default(0),
    digits: z.boolean().exactOptional(),
    seen: count,
    absent: count,
  }),
  hints: z.array(text).max(most.hints).exactOptional(),
  alternatives: z.array(alternative).max(most.alternatives),
})

const pointer = z.string().regex(/^(?:\/[^/]{1,200}){1,8}$/)

const fields = z
  .record(pointer, field)
  .refine((record) => Object.keys(record).length <= most.fields, { error: `has at most ${most.fields} fields` })

/** Schema of an extractor's program, as it is stored, returned and edited. */
export const programSchema = z
  .strictObject({
    version: z.literal(1),
    path: z.string().max(2_000),
    print: z
      .array(
        z
          .int()
          .min(0)
          .max(2 ** 32),
      )
      .max(most.print),
    pages: count,
    fields,
    lists: z
      .record(pointer, z.strictObject({ rows: z.array(text).min(1).max(most.rows), fields }))
      .refine((record) => Object.keys(record).length <= most.lists, { error: `has at most ${most.lists} lists` }),
  })
  .meta({
    id: 'ExtractorProgram',
    description: 'A program that reads the fields of a template: data, with the alternatives that find each.',
  })
