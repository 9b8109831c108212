// The feature `engine.chunks`: the chunk changes of all pages of a job, as one list.
import { defineFeature, jobId, type FeatureCall, type FeatureDocument, type FeatureKit } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { chunkChanges, chunkChangesSchema } from './changes.ts'
import { chunkSchema } from './format.ts'

const chunkChangeSchema = z
  .object({
    change: z.enum(['added', 'changed', 'removed']),
    page: z.string().describe('The requested URL of the page. Together with `id` it identifies the chunk.'),
    id: z.string(),
    previousId: z.string().optional().describe('The id of the chunk that this one replaces, if it is changed.'),
    headings: z.array(z.string()),
    chunk: chunkSchema.optional().describe('The chunk, unless it is removed.'),
  })
  .meta({ id: 'ChunkChange', description: 'A chunk that was added, changed or removed.' })

/** A chunk that was added, changed or removed. */
export type ChunkChange = z.output<typeof chunkChangeSchema>

const listSchema = z.object({
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .meta({ title: 'Limit', description: 'The maximum number of changes to return.' })
    .default(100),
  after: z
    .string()
    .regex(/^\d{1,9}\.\d{1,9}$/, 'Use the `next` of the previous page.')
    .meta({ title: 'After', description: 'The `next` of the previous page.' })
    .optional(),
})

/** Maximum number of documents that one call reads. */
const maxDocuments = 500
/** Maximum size of the changes in a response. A larger one is alone. */
const maxBytes = 10_000_000

/** Feature that adds `engine.chunks`. */
export const chunkFeature = defineFeature({
  name: 'chunks',
  summary: 'Lists the chunks that a crawl or batch found added, changed and removed.',
  examples: ['chunks changes 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11'],
  notFound: 'Job not found',
  open: (kit) => kit,
  more: (kit) => ({
    /** Yields the changes of the pages of a job, each once, in order of completion, until the job has ended. */
    changesOf: (job: string, call: FeatureCall = {}) => changesOf(kit, job, call),
  }),
  endpoints: (endpoint) => ({
    changes: endpoint({
      method: 'GET',
      path: '/v2/chunks/changes/{job}',
      params: { job: jobId },
      summary: 'Lists the chunks that a finished crawl or batch with chunkChanges found added, changed and removed.',
      input: listSchema,
      output: z.object({
        data: z.array(chunkChangeSchema),
        next: listSchema.shape.after.describe('Send it as `after` to get the next page. Absent at the end.'),
      }),
      isFlat: true,
      errors: ['not_found', 'conflict'],
      command: {
        print: ({ data, next }) => ({
          lines: data.map(({ change, id, page, headings }) => [change, id, page, headings.join(' > ').slice(0, 200)]),
          message: next === undefined ? undefined : `There are more changes. Continue with --after ${next}`,
        }),
      },
      run: async (kit, { params, input, call, signal }) => {
        const job = await kit.engine.jobs.find(params.job, call)
        if ((await job.status()).status === 'scraping')
          throw new EngineError('conflict', 'The job has not ended yet. Wait until it has.')
        const from = positionOf(input.after)
        return pageOf(job.documents({ skip: from.document, signal }), from, input.limit)
      },
    }),
  }),
})

/** The API of `engine.chunks`. */
export type Chunks = NonNullable<(typeof chunkFeature)['api']>

async function* changesOf({ engine }: FeatureKit, id: string, call: FeatureCall): AsyncGenerator<ChunkChange> {
  const job = await engine.jobs.find(id, call)
  for await (const document of job.documents({ ...(call.signal && { signal: call.signal }) }))
    yield* changesIn(document)
}

interface Position {
  readonly document: number
  /** Number of changes of the document before the position. */
  readonly change: number
}

function positionOf(after: string | undefined): Position {
  const [document = 0, change = 0] = (after ?? '').split('.').map(Number)
  return { document, change }
}

/**
 * Returns the changes from a position, of at most 10 MB. Reads at most 500 documents, so a page may be empty and have a next one.
 */
export async function pageOf(documents: AsyncIterable<FeatureDocument>, from: Position, limit: number) {
  const data: ChunkChange[] = []
  let index = from.document
  let bytes = 0
  for await (const document of documents) {
    const skipped = index === from.document ? from.change : 0
    for (const [at, change] of changesIn(document).slice(skipped).entries()) {
      bytes += Buffer.byteLength(JSON.stringify(change))
      if (data.length >= limit || (bytes > maxBytes && data.length > 0))
        return { data, next: `${index}.${skipped + at}` }
      data.push(change)
    }
    index += 1
    if (index - from.document >= maxDocuments || data.length >= limit) return { data, next: `${index}.0` }
  }
  return { data }
}

/** Returns the changes in a document; none without a valid value of the format. */
function changesIn(document: FeatureDocument): readonly ChunkChange[] {
  const { success, data } = chunkChangesSchema.safeParse(document[chunkChanges.type])
  if (!success) return []
  const page = document.metadata.sourceURL
  const { added, changed, removed } = data
  return [
    ...removed.map((one) => ({ change: 'removed' as const, page, ...one })),
    ...changed.map(({ previousId, ...chunk }) => ({
      ...{ change: 'changed' as const, page, previousId, chunk },
      ...{ id: chunk.id, headings: chunk.headings },
    })),
    ...added.map((chunk) => ({
      ...{ change: 'added' as const, page, chunk },
      ...{ id: chunk.id, headings: chunk.headings },
    })),
  ]
}
