import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'
import { screenshotOptions } from '../schema/viewport.ts'

export const screenshotAction = defineAction({
  type: 'screenshot',
  schema: z.object(screenshotOptions).describe('Takes a screenshot, and returns its URL in `actions.screenshots`.'),
  isRepeated: false,
  // A screenshot needs the images and changes no state of the page.
  needs: { pictures: true, ownContext: false },
  run: async (tab, options, { signal }) => ({ into: 'screenshots', value: await tab.screenshot(options, signal) }),
})
