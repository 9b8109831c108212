import { defineFormat, definePlugin, markdown } from '@harvestman/core/plugin'
import { z } from 'zod'

/** Returns the price on a page, and the price when the same team last scraped it. */
export const price = defineFormat({
  type: 'price',
  options: z.object({ currency: z.string().length(1).default('€') }),
  value: z.object({ now: z.number().nullable(), before: z.number().nullable() }),
  needs: { markdown },
  // The document is returned even if this format fails.
  onFailure: 'warn',
  derive: async ({ markdown }, { options, page, store, warn }) => {
    const [, found] = markdown.split(options.currency)
    const now = found === undefined ? null : Number.parseFloat(found)
    if (now === null) warn(`There is no price in ${options.currency} on this page.`)
    const before = ((await store.get(page.url)) ?? null) as number | null
    return { now, before }
  },
  // Runs once the document is complete. Skipped for requests with zeroDataRetention.
  keep: async ({ now }, { page, store }) => {
    if (now !== null) await store.set(page.url, now)
  },
})

/** Creates the plugin with the format `price`: `createEngine({ plugins: [prices()] })`. */
export function prices() {
  return definePlugin({ name: 'prices', formats: [price] })
}
