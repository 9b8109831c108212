import { z } from 'zod'

import { claim } from '../schema/citation.ts'
import { omittedPart } from '../schema/omitted.ts'
import type { Format } from './field.ts'

const metadata = () =>
  z
    .looseObject({
      title: z.string().optional(),
      description: z.string().optional(),
      language: z.string().optional(),
      keywords: z.union([z.string(), z.array(z.string())]).optional(),
      sourceURL: z.string(),
      url: z.string(),
      statusCode: z.int(),
      error: z.string().optional(),
      contentType: z.string().optional(),
      scrapeId: z.string(),
      proxyUsed: z.enum(['basic', 'stealth']),
      cacheState: z.enum(['hit', 'miss']).optional(),
      cachedAt: z.string().optional(),
      creditsUsed: z.int(),
    })
    .describe('The metadata of the page, and how it was loaded.')

// Loose, because actions of plugins add their own lists.
const actionResults = () =>
  z.looseObject({
    screenshots: z.array(z.string()).optional(),
    scrapes: z.array(z.object({ url: z.string(), html: z.string() })).optional(),
    javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })).optional(),
    pdfs: z.array(z.string()).optional(),
  })

const explanation = () =>
  z
    .object({
      steps: z.array(
        z.object({
          step: z.string(),
          outcome: z.string(),
          reason: z.string().optional(),
          loader: z.string().optional(),
          status: z.number().optional(),
          digest: z.string().optional(),
          found: z.array(z.unknown()).optional(),
          ms: z.number().optional(),
          at: z.number(),
        }),
      ),
      blocks: z
        .array(
          z.object({
            text: z.string(),
            kept: z.boolean(),
            score: z.number(),
            reasons: z.array(z.object({ feature: z.string(), value: z.number(), push: z.number() })),
          }),
        )
        .optional(),
      hidden: z
        .array(
          z.object({
            reason: z.string(),
            kept: z.string().optional(),
            text: z.string(),
            length: z.number(),
          }),
        )
        .optional()
        .describe(
          'Text that the page hides when it opens. It was removed from the content, unless `kept` gives a reason.',
        ),
      metadata: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('The sources of the author, times and names on the page, by their names in the metadata.'),
      formats: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Explanations of the values of formats, by format.'),
    })
    .describe('The decisions during the scrape and their reasons. Present only if requested.')

const blocksOfPage = () =>
  z
    .object({
      pageNumber: z.int(),
      width: z.int().nullable(),
      height: z.int().nullable(),
      status: z.enum(['ok', 'partial', 'failed']),
      items: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          label: z.string().nullable(),
          bbox: z.array(z.number()).length(4).nullable(),
          content: z.string(),
          markdownSpan: z.array(z.int()).length(2).nullable(),
          readingOrder: z.int(),
          source: z.string().nullable(),
          confidence: z.object({ layout: z.number().nullable(), ocr: z.number().nullable() }),
          image: z.string().optional(),
        }),
      ),
    })
    .describe('The parts of a page of a file, with their position. Present only if requested.')

/** Builds the schema of an engine's documents. Every format is optional, because it is present only if requested. */
export function documentSchema({ formats }: { readonly formats: readonly Format[] }): z.ZodType {
  const values = formats.map(({ as, value }) => [as, (value ?? z.unknown()).optional()])
  return z.object({
    ...Object.fromEntries(values),
    pages: z
      .array(z.object({ pageNumber: z.int(), markdown: z.string() }))
      .optional()
      .describe('The Markdown of each page of a file. Present only if requested.'),
    blocks: z.array(blocksOfPage()).optional(),
    pageImages: z
      .array(
        z.object({
          pageNumber: z.int(),
          url: z.string(),
          rotation: z
            .number()
            .describe('Clockwise, in degrees around the middle. The boxes of `blocks` fit the rotated picture.'),
        }),
      )
      .optional()
      .describe('A picture of each page of a file. Present only if requested.'),
    actions: actionResults().optional(),
    claims: z
      .array(claim)
      .optional()
      .describe('The values and sentences of formats with `citations`, with the passages that they are based on.'),
    omitted: z
      .array(omittedPart)
      .optional()
      .describe('The parts of the page that did not fit into `maxTokens` of a format.'),
    warning: z.string().optional(),
    explain: explanation().optional(),
    metadata: metadata(),
  })
}
