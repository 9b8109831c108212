// Search result schemas of every API version.
import { omittedPart } from '@harvestman/core/plugin'
import { z } from 'zod'

const page = { url: z.string(), title: z.string() }
const position = z.int().describe('From 1.')
const citation = z
  .object({
    link: z.string().describe('The URL with a fragment that opens the page at the passage.'),
    chunk: z.string().describe('The id of the chunk. `chunks` returns the same by default.'),
    start: z.int().describe('Where the passage begins in the Markdown of the page, in characters.'),
    end: z.int().describe('Where it ends.'),
    hash: z.string().describe('The SHA-256 hash of the Markdown.'),
  })
  .describe('Where the passage of the description is. Only for results of the index of scraped pages.')

const omitted = z.array(omittedPart).describe('Parts of the page that are not in `markdown` because of `maxTokens`.')

const withPage = 'With formats, the fields of the document of its page as well.'

/** A search result, with the document of its page if formats were requested. */
export const webResultSchema = z
  .looseObject({
    ...page,
    description: z.string(),
    position: position.optional(),
    category: z.string().optional(),
    citation: citation.optional(),
    omitted: omitted.optional(),
  })
  .describe(withPage)

export const newsResultSchema = z
  .looseObject({
    ...page,
    snippet: z.string(),
    position,
    date: z.string().optional(),
    imageUrl: z.string().optional(),
    category: z.string().optional(),
    omitted: omitted.optional(),
  })
  .describe(withPage)

export const imageResultSchema = z.object({
  ...page,
  imageUrl: z.string(),
  position,
  imageWidth: z.int().optional(),
  imageHeight: z.int().optional(),
})
