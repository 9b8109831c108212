// Citations: the passage of a page that a claim is based on.
import { z } from 'zod'

/** Maximum number of characters of a quote. */
export const maxQuote = 4_000

/** Schema of a part of a page of a file. */
export const filePlace = z.strictObject({
  page: z.int(),
  box: z
    .array(z.number())
    .length(4)
    .optional()
    .describe('Left, top, right and bottom edge, as fractions of the page. Absent for rotated text.'),
})

/** Schema of a citation. */
export const citation = z
  .object({
    url: z.string().describe('The URL of the page.'),
    link: z.string().describe('The URL with a fragment that opens the page at the quote.'),
    quote: z.string().describe('The passage, as the Markdown of the page has it.'),
    start: z.int().min(0).describe('Where the quote begins in the Markdown of the page, in characters.'),
    end: z.int().min(0).describe('Where it ends.'),
    chunk: z.string().describe('The id of the chunk with the beginning of the quote. `chunks` returns it by default.'),
    hash: z.string().describe('The SHA-256 hash of the Markdown.'),
    places: z
      .array(filePlace)
      // One for each character of the quote.
      .max(maxQuote)
      .optional()
      .describe('The pages of the file that the quote is on, with the box around its blocks.'),
  })
  .meta({ id: 'Citation', description: 'A passage of a page.' })

/** A passage of a page. */
export type Citation = z.output<typeof citation>

/** Schema of a claim. */
export const claim = z
  .object({
    claim: z.union([z.string(), z.number(), z.boolean()]).describe('A value, or a sentence.'),
    property: z.string().optional().describe('The property of the document that has the claim.'),
    pointer: z.string().optional().describe('The JSON Pointer of a value in the data.'),
    citations: z.array(citation).describe('The passages that it is based on. Empty if none was found on the pages.'),
  })
  .meta({ id: 'Claim', description: 'A value or a sentence, with the passages that it is based on.' })

/** A value or a sentence of a result, with the passages that it is based on. */
export type Claim = z.output<typeof claim>

/** Format option for `claims` in the document. */
export const citationsOption = z
  .boolean()
  .meta({ title: 'Citations', description: 'Returns `claims`: the passages of the page that the result is based on.' })
  .optional()
