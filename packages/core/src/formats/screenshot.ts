import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { viewport } from '../schema/viewport.ts'

export const screenshot = defineFormat({
  type: 'screenshot',
  options: z.object({
    fullPage: z.boolean().default(false),
    quality: z.int().min(1).max(100).optional(),
    viewport: viewport.optional(),
  }),
  aliases: { 'screenshot@fullPage': { fullPage: true } },
  value: z.string().describe('The address of the picture.'),
  needs: {},
  capture: (tab, options, signal) => tab.screenshot(options, signal),
  derive: (_, { captured }) => captured as Uint8Array,
})
