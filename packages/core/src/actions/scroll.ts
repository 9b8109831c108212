import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'
import { elementSelector } from '../schema/selector.ts'

export const scroll = defineAction({
  type: 'scroll',
  schema: z
    .object({
      direction: z
        .enum(['up', 'down'])
        .meta({ title: 'Direction', description: 'The direction to scroll.' })
        .default('down'),
      selector: elementSelector.describe('The element to scroll. Default: the page.').optional(),
    })
    .describe('Scrolls the page, or an element.'),
  // Scrolling changes no more state than a visit. A page without images is shorter, so the same number of scrolls reaches at
  // least as far.
  needs: { pictures: false, ownContext: false },
  run: (tab, { direction, selector }, { signal }) => tab.scroll(direction, selector, signal),
})
