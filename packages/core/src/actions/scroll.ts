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
  // Scrolling leaves no more in a page than a visit does: nothing was chosen or entered. A page without pictures is
  // shorter, so as many scrolls reach as far or further.
  needs: { pictures: false, ownContext: false },
  run: (tab, { direction, selector }, { signal }) => tab.scroll(direction, selector, signal),
})
