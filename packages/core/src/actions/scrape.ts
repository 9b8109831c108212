import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

export const scrapeAction = defineAction({
  type: 'scrape',
  schema: z.object({}).describe('Returns the current page in `actions.scrapes`.'),
  isRepeated: false,
  // It reads the DOM, which has the URLs of images even if these are not loaded.
  needs: { pictures: false, ownContext: false },
  run: async (tab, _, { signal }) => ({
    into: 'scrapes',
    value: { url: await tab.url(), html: await tab.html(signal) },
  }),
})
