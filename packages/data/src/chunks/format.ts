import { choose, cutMarkdown, linkTo, makePause, measures, type Chunk } from '@harvestman/chunks'
import { defineFormat, filePlace, markdown, placesOf, type DeriveContext } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

/** Schema of a chunk of a page. */
export const chunkSchema = z
  .object({
    id: z.string().describe('Stays the same while `text` does, whatever else changes on the page.'),
    text: z.string().describe('The Markdown of the chunk, with the overlap at its beginning.'),
    headings: z.array(z.string()).describe('The headings above the chunk, from the first level.'),
    url: z.string().describe('The URL of the page, with a fragment that opens it at the chunk.'),
    size: z.int().describe('The size of `text`, in the unit of the request. Tokens are estimated.'),
    start: z.int().describe('Where the chunk begins in the Markdown of the page, without the overlap, in characters.'),
    end: z.int().describe('Where it ends.'),
    overlap: z.int().describe('Number of characters at the beginning of `text` that also belong to the chunk before.'),
    page: z
      .int()
      .optional()
      .describe('The page of the file on which the chunk begins, with `pageMarkers` or `blocks` of the parser.'),
    places: z
      .array(filePlace)
      .optional()
      .describe(
        'The pages of the file that the chunk is on, with the box around its blocks. With `blocks` of the parser.',
      ),
    cut: z
      .enum(['table', 'code'])
      .optional()
      .describe('Set if the chunk has a part of a table or of code that is larger than a chunk.'),
    tableHead: z
      .string()
      .optional()
      .describe('The first rows of the table that was cut, if they are in another chunk.'),
  })
  .meta({ id: 'Chunk', description: 'A chunk of a page.' })

/** A chunk of a page. */
export type PageChunk = z.output<typeof chunkSchema>

const maxSize = 32_000
const maxBudget = 1_000_000

/** Options that determine where pages are cut. */
export const cutShape = {
  size: z
    .int()
    .min(20)
    .max(maxSize)
    .meta({ title: 'Size', description: 'Maximum size of a chunk, without its overlap.' })
    .default(500),
  unit: z
    .enum(['tokens', 'characters'])
    .meta({ title: 'Unit', description: 'The unit of sizes. Tokens are estimated, rather too many than too few.' })
    .default('tokens'),
  overlap: z
    .int()
    .min(0)
    .max(maxSize)
    .meta({
      title: 'Overlap',
      description: 'Maximum size of the end of a chunk that is repeated in the next one. At most half of `size`.',
    })
    .default(0),
  by: z
    .enum(['size', 'heading'])
    .meta({
      title: 'Cut',
      description: '`heading` begins a chunk at every heading. `size` fills chunks, and prefers to cut at headings.',
    })
    .default('size'),
}

/** Returns why these options cannot be used together, or `undefined`. */
export function overlapProblem({
  size,
  overlap,
}: {
  readonly size: number
  readonly overlap: number
}): string | undefined {
  return overlap > size / 2 ? `overlap is ${overlap}, and may be at most half of size, which is ${size}` : undefined
}

/** The format `chunks`: the Markdown of the page in parts for a language model or a vector store. */
export const chunks = defineFormat({
  type: 'chunks',
  options: z.object({
    ...cutShape,
    budget: z
      .int()
      .min(20)
      .max(maxBudget)
      .meta({
        title: 'Budget',
        description:
          'Maximum size of all chunks together. Returns those that match `query` best, then the beginnings of sections, in page order.',
      })
      .optional(),
    query: z
      .string()
      .min(1)
      .max(2_000)
      .meta({ title: 'Query', description: 'Words of the passages to prefer. Requires `budget`.' })
      .optional(),
  }),
  check: ({ budget, query, ...options }) =>
    overlapProblem(options) ?? (query !== undefined && budget === undefined ? 'query requires budget' : undefined),
  value: z.array(chunkSchema),
  needs: { markdown },
  derive: async ({ markdown }, context) => {
    const { options, signal, explain } = context
    const { unit, budget, query, ...rest } = options
    const all = await cutMarkdown(markdown, { ...rest, measure: measures[unit] }, signal)
    const found = budget === undefined ? all : await choose(all, { budget, query }, signal)
    if (found.length < all.length) explain({ omitted: omitted(all, new Set(found)) })
    return describeChunks(found, markdown, context)
  },
})

/**
 * Adds the URL of each chunk, and its pages if the Markdown has page markers or the request has the parser option `blocks`. Chunks
 * must be in page order. Rejects when aborted.
 */
export async function describeChunks(
  found: readonly Chunk[],
  markdown: string,
  { page, request, signal, blocksInFile }: Pick<DeriveContext, 'page' | 'request' | 'signal' | 'blocksInFile'>,
): Promise<PageChunk[]> {
  const pageAt = pageNumbers(markdown)
  // Blocks may be known without the option, and the value must not depend on it.
  const hasBlocks = request.parsers.some(({ blocks }) => blocks === true)
  const blocks = hasBlocks ? await blocksInFile(markdown) : []
  const pause = makePause(signal)
  const chunks: PageChunk[] = []
  for (const { id, headings, ...one } of found) {
    const passage = [one.start, one.end] as const
    const places = placesOf(blocks, passage).map(({ page: at, box }) => ({ page: at, ...(box && { box: [...box] }) }))
    const number = pageAt(one.start) ?? places[0]?.page
    const url = linkTo(page.url, markdown.slice(one.start, one.end))
    const inFile = { ...(number !== undefined && { page: number }), ...(places.length > 0 && { places }) }
    chunks.push({ id, url, headings: [...headings], ...one, ...inFile })
    await pause(one.text.length)
  }
  return chunks
}

/** Returns the chunks that were omitted, for `explain`. */
function omitted(all: readonly Chunk[], found: ReadonlySet<Chunk>): Json {
  return all
    .filter((one) => !found.has(one))
    .map(({ id, headings, size, start, end }) => ({ ...{ id, size, start, end }, headings: [...headings] }))
}

/** Returns a function that returns the page at an offset, by the page markers before it. Offsets must be given in order. */
function pageNumbers(markdown: string): (offset: number) => number | undefined {
  const markers = [...markdown.matchAll(/^<!-- page (\d+) -->$/gm)]
  let index = 0
  return (offset) => {
    while ((markers[index]?.index ?? Infinity) <= offset) index += 1
    if (markers.length === 0) return undefined
    return index === 0 ? 1 : Number(markers[index - 1]?.[1])
  }
}
