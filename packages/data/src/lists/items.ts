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
    limit: z.int().min(1).max(20_000).meta({ title: 'Limit', description: 'The most rows.' }).default(1_000),
    pages: z
      .int()
      .min(1)
      .max(1_000)
      .meta({
        title: 'Pages',
        description:
          'The most pages of the list that are read. Further pages are found by their links; each costs what a page costs.',
      })
      .default(1),
  }),
  value: z.object({
    columns: listSchema.shape.columns.describe('The columns, in the order of the page.'),
    rows: listSchema.shape.rows.describe('The items, by column. A column that an item does not have is absent.'),
    total: z.number().nullable().describe('How many items there are, as the page says it.'),
    complete: z.boolean().nullable().describe('Whether these are all of them; `null` where the page does not say.'),
    reason: z.string().describe('The same in words.'),
    json: listSchema.shape.json
      .unwrap()
      .nullable()
      .describe(
        'The JSON of the first page that fields, and items that it does not show, are from; `null` when all is from what it shows.',
      ),
    pages: z.int().describe('How many pages of the list were read.'),
    next: z.string().nullable().describe('The address of the next page of the list, where a link leads there.'),
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
