// Format that compares the chunks of a page with the chunks of its last visit, so that only changed ones have to be stored again.
import { cutMarkdown, measures } from '@harvestman/chunks'
import { defineFormat, markdown } from '@harvestman/core/plugin'
import { z } from 'zod'

import { compareChunks } from './compare.ts'
import { chunkSchema, cutShape, describeChunks, overlapProblem } from './format.ts'
import { lastVisit, maxChunks, storeVisit, visitsKey } from './visits.ts'

/** Tag under which `recrawl()` records the pages of crawls, too. Crawls revisit these pages even if no link leads to them. */
const crawledPages = 'recrawl'

const options = z.object({
  ...cutShape,
  tag: z
    .string()
    .max(200)
    .nullable()
    .meta({ title: 'Tag', description: 'Compares with the visits under this tag, for several consumers of a site.' })
    .default(null),
})

const needs = { markdown }

/** Schema of the value of the format. */
export const chunkChangesSchema = z
  .object({
    previous: z
      .object({ scrapeId: z.string(), at: z.string() })
      .nullable()
      .describe('The visit that the page is compared with; null for the first one.'),
    added: z.array(chunkSchema),
    changed: z.array(
      chunkSchema.extend({ previousId: z.string().describe('The id of the chunk that this one replaces.') }),
    ),
    removed: z.array(z.object({ id: z.string(), headings: z.array(z.string()) })),
    same: z.int().describe('Number of unchanged chunks.'),
  })
  .describe('The chunks of the page that were added, changed and removed since its last visit.')

/** The changed chunks of a page. */
export type ChunkChanges = z.output<typeof chunkChangesSchema>

/** The format `chunkChanges`: the chunks that were added, changed and removed since the last visit by another job. */
export const chunkChanges = defineFormat({
  type: 'chunkChanges',
  options,
  follows: () => crawledPages,
  check: overlapProblem,
  value: chunkChangesSchema,
  needs,
  derive: async ({ markdown }, context): Promise<ChunkChanges | undefined> => {
    const { options, page, request, job, task, store, signal, warn } = context
    if (request.zeroDataRetention) {
      warn('chunkChanges is not supported with zero data retention.')
      return undefined
    }
    if (!isComparable(page.status)) {
      warn(`The page responded with status ${page.status}, so its chunks were not compared.`)
      return undefined
    }
    const now = await cut(markdown, page.status, options, signal)
    if (now.length > maxChunks) {
      warn(`The page has ${now.length} chunks, and chunkChanges compares at most ${maxChunks}. Raise size.`)
      return undefined
    }
    const before = await lastVisit(store, keyOf(request, options), job ?? task)
    const { added, changed, removed, same } = compareChunks(before?.chunks ?? [], now)
    const previousIds = new Map(changed.map(([{ id }, chunk]) => [chunk.id, id]))
    const isNew = new Set([...added, ...changed.map(([, chunk]) => chunk)])
    const described = await describeChunks(
      now.filter((chunk) => isNew.has(chunk)),
      markdown,
      context,
    )
    return {
      previous: before ? { scrapeId: before.scrapeId, at: new Date(before.at).toISOString() } : null,
      added: described.filter(({ id }) => !previousIds.has(id)),
      changed: described.flatMap((chunk) => {
        const previousId = previousIds.get(chunk.id)
        return previousId === undefined ? [] : [{ ...chunk, previousId }]
      }),
      removed: removed.map(({ id, headings }) => ({ id, headings: [...headings] })),
      same,
    }
  },
  keep: async (_, { options, needs, page, request, id, job, task, store, clock, signal }) => {
    const chunks = await cut(needs.markdown, page.status, options, signal)
    const visit = { by: job ?? task, scrapeId: id, at: clock.now(), chunks }
    await storeVisit(store, keyOf(request, options), visit)
  },
})

type Options = z.output<typeof options>

/** Returns whether a response reveals which chunks the page has: a page without an error, or one that is gone. */
function isComparable(status: number): boolean {
  return status < 400 || isGone(status)
}

function isGone(status: number): boolean {
  return status === 404 || status === 410
}

async function cut(markdown: string, status: number, { size, overlap, by, unit }: Options, signal: AbortSignal) {
  return isGone(status) ? [] : cutMarkdown(markdown, { size, overlap, by, measure: measures[unit] }, signal)
}

function keyOf(request: { readonly url: string; readonly redactPII?: unknown }, { tag }: Options): string {
  return visitsKey(request.url, tag, request.redactPII)
}
