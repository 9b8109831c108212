// Token budgets of formats, and the parts of a page that they omit.
import { z } from 'zod'

/** Schema of a part of a page that did not fit into a token budget. */
export const omittedPart = z
  .object({
    property: z.string().optional().describe('The property of the document that was made without the part.'),
    chunk: z
      .string()
      .describe(
        'The id of the part, or of the first one. With a query and at least 1,000 tokens, the id that `chunks` returns by default.',
      ),
    headings: z.array(z.string()).readonly().describe('The headings above the part, from the first level.'),
    tokens: z.int().describe('Its size, estimated.'),
    start: z.int().describe('Where the part begins in the whole Markdown of the page, in characters.'),
    end: z.int().describe('Where it ends.'),
    cut: z
      .enum(['table', 'code'])
      .optional()
      .describe('Set if it has a part of a table or of code that is larger than a chunk.'),
    parts: z
      .int()
      .optional()
      .describe(
        'Number of parts, if several are listed as one because there are more than 100. The last of 100 entries contains all later parts, and its range has returned parts as well.',
      ),
  })
  .meta({ id: 'OmittedPart', description: 'A part of a page that did not fit into a token budget.' })

/** A part of a page that did not fit into a token budget. */
export type OmittedPart = Readonly<z.output<typeof omittedPart>>

/** Minimum and maximum of a token budget. */
const budget = z.int().min(50).max(1_000_000)

/** Format option that limits how much of a page a model reads. */
export const readTokens = budget
  .meta({
    title: 'Tokens',
    description:
      'Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others.',
  })
  .optional()

/** Format option that limits a value. */
export const valueTokens = budget
  .meta({
    title: 'Tokens',
    description:
      'Maximum tokens, estimated. Returns the parts that match `query` best, or the beginnings of sections. `omitted` of the document lists the others.',
  })
  .optional()
