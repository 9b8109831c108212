import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'
import { viewport } from '../schema/viewport.ts'

export const screenshotAction = defineAction({
  type: 'screenshot',
  schema: z.object({
    fullPage: z.boolean().default(false),
    quality: z.int().min(1).max(100).optional(),
    viewport: viewport.optional(),
  }),
  run: async (tab, options, { signal }) => ({ into: 'screenshots', value: await tab.screenshot(options, signal) }),
})
