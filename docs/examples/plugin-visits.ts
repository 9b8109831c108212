import { defineJob, definePlugin, priceOfPages, visitOptions, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

/** Returns the titles of pages, in the order of the request. */
export const titleList = defineJob({
  kind: 'title_list',
  title: 'Titles',
  description: 'Lists the titles of pages.',
  request: z.strictObject({ urls: z.array(webUrl).min(1).max(20).meta({ title: 'URLs' }), ...visitOptions }),
  answer: z.object({ titles: z.array(z.string()), missing: z.int() }),
  example: { urls: ['https://example.com/'] },
  about: 'urls',
  price: ({ urls, maxCredits }, { page }) => priceOfPages(page(), { least: 0, most: urls.length, maxCredits }, 'pages'),
  visits: {
    urls: async ({ urls }) => urls,
    page: () => ({}),
    read: ({ place, metadata }) => ({ place, title: metadata.title ?? '' }),
    join: (pages, { urls }) => ({
      titles: pages
        .map(({ value }) => value)
        .toSorted((one, other) => one.place - other.place)
        .map(({ title }) => title),
      missing: new Set(urls).size - pages.length,
    }),
  },
})

export const titles = definePlugin({ name: 'titles', jobs: [titleList] })
