import { defineFormat, definePlugin, markdown } from '@harvestman/core/plugin'
import { z } from 'zod'

/** Says how the price on a page has changed since the same team asked for it last. */
export const price = defineFormat({
  type: 'price',
  options: z.object({ currency: z.string().length(1).default('€') }),
  value: z.object({ now: z.number().nullable(), before: z.number().nullable() }),
  needs: { markdown },
  // A page without a price is still a good page.
  onFailure: 'warn',
  derive: async ({ markdown }, { options, page, store, warn }) => {
    const [, found] = markdown.split(options.currency)
    const now = found === undefined ? null : Number.parseFloat(found)
    if (now === null) warn(`There is no price in ${options.currency} on this page.`)
    const before = ((await store.get(page.url)) ?? null) as number | null
    return { now, before }
  },
  // Runs when the document is made; never for a request with zeroDataRetention.
  keep: async ({ now }, { page, store }) => {
    if (now !== null) await store.set(page.url, now)
  },
})

export function prices() {
  return definePlugin({ name: 'prices', formats: [price] })
}
