import { z } from 'zod'

import { defineFormat } from '../plugin/define.ts'
import { screenshotOptions } from '../schema/viewport.ts'

/** The format `screenshot`. */
export const screenshot = defineFormat({
  type: 'screenshot',
  options: z.object(screenshotOptions),
  aliases: { 'screenshot@fullPage': { fullPage: true } },
  value: z.string().describe('The URL of a screenshot of the page.'),
  needs: {},
  capture: (tab, options, signal) => tab.screenshot(options, signal),
  derive: (_, { captured }) => captured as Uint8Array,
})
