import { defineFormat, rawHtml } from '@harvestman/core/plugin'
import { z } from 'zod'

import { listSchema } from './listing.ts'

/** The list of a page as rows with typed columns: products of a shop, results of a search, lines of a table. */
export const items = defineFormat({
  type: 'items',
  options: z.object({
    limit: z.int().min(1).max(20_000).meta({ title: 'Limit', description: 'The most rows.' }).default(1_000),
  }),
  value: z.object({
    columns: listSchema.shape.columns.describe('The columns, in the order of the page.'),
    rows: listSchema.shape.rows.describe('The items, by column. A column that an item does not have is absent.'),
    total: z.number().nullable().describe('How many items there are, as the page says it.'),
    complete: z.boolean().nullable().describe('Whether these are all of them; `null` where the page does not say.'),
    reason: z.string().describe('The same in words.'),
    next: z.string().nullable().describe('The address of the next page of the list, where a link leads there.'),
  }),
  needs: { rawHtml },
  derive: async ({ rawHtml }, { options: { limit }, page, read }) => {
    const { columns, rows, total, next } = listSchema.parse(await read({ url: page.url, html: rawHtml }, 'items', {}))
    const given = rows.slice(0, limit)
    return {
      columns,
      rows: given,
      total: total ?? null,
      ...proofOf(given.length, rows.length, total),
      next: next ?? null,
    }
  },
})

function proofOf(
  given: number,
  found: number,
  total: number | undefined,
): { complete: boolean | null; reason: string } {
  if (given < found)
    return { complete: false, reason: `The first ${given} of ${found} items on the page: limit ends them.` }
  if (total === undefined) return { complete: null, reason: 'The page does not say how many items there are.' }
  if (given === total) return { complete: true, reason: `${given} of the ${total} items that the page says there are.` }
  const rest = given < total ? 'The others are on other pages.' : 'It may count other things.'
  return { complete: false, reason: `${given} items, and the page says ${total}. ${rest}` }
}
