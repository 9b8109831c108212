import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

export const scrapeAction = defineAction({
  type: 'scrape',
  schema: z.object({}),
  run: async (tab, _, { signal }) => ({
    into: 'scrapes',
    value: { url: await tab.url(), html: await tab.html(signal) },
  }),
})
