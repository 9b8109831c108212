import { defineFormat, rawHtml } from '@harvestman/core/plugin'
import { z } from 'zod'

import { listingReading } from '../readings.ts'
import { listingSchema, listSchema } from './listing.ts'
import { followPages } from './pages.ts'
import { proofOf, type Proof } from './proof.ts'

/** Reads the main list of a page as rows with typed columns: products, search results or table rows. */
export const items = defineFormat({
  type: 'items',
  options: z.object({
    limit: z.int().min(1).max(20_000).meta({ title: 'Limit', description: 'Maximum number of rows.' }).default(1_000),
    pages: z
      .int()
      .min(1)
      .max(1_000)
      .meta({
        title: 'Pages',
        description:
          'Maximum number of pages of the list to read. Further pages are found by links, and each costs as much as a page.',
      })
      .default(1),
  }),
  value: z.object({
    columns: listSchema.shape.columns.describe('The columns, in the order of the page.'),
    rows: listSchema.shape.rows.describe('The items, by column. Columns without a value are absent.'),
    total: z.number().nullable().describe('The total number of items, as stated on the page.'),
    complete: z.boolean().nullable().describe('Whether the rows are all items. `null` if the page does not tell.'),
    reason: z.string().describe('The reason for `complete`, as a sentence.'),
    json: listSchema.shape.json
      .unwrap()
      .nullable()
      .describe(
        'The JSON in the first page from which values were taken that the page does not show. `null` if all values are shown.',
      ),
    pages: z.int().describe('Number of pages of the list that were read.'),
    next: z.string().nullable().describe('The URL of the next page of the list, if there is a link to it.'),
  }),
  needs: { rawHtml },
  loads: ({ pages }) => pages - 1,
  derive: async ({ rawHtml }, context) => {
    const { options, page } = context
    const first = listingSchema.parse(await context.read({ url: page.url, html: rawHtml }, listingReading, {}))
    const { gathered, end, why, pages, next } = await followPages(first, page.url, options, context)
    const { size, total } = gathered
    const proof = options.pages > 1 ? proofOf(end, size, total, why) : proofOfPage(size, first.rows.length, total)
    return {
      ...gathered.list(),
      total: total ?? null,
      ...proof,
      json: gathered.json ?? null,
      pages,
      next: next ?? null,
    }
  },
})

function proofOfPage(given: number, found: number, total: number | undefined): Proof {
  if (given < found)
    return { complete: false, reason: `The first ${given} of ${found} items on the page: limit ends them.` }
  if (total === undefined) return { complete: null, reason: 'The page does not say how many items there are.' }
  if (given === total) return { complete: true, reason: `${given} of the ${total} items that the page says there are.` }
  const rest = given < total ? 'The others are on other pages: raise `pages`.' : 'It may count other things.'
  return { complete: false, reason: `${given} items, and the page says ${total}. ${rest}` }
}
