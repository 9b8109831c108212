import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'
import { elementSelector } from '../schema/selector.ts'

export const click = defineAction({
  type: 'click',
  schema: z
    .object({
      selector: elementSelector,
      all: z
        .boolean()
        .meta({ title: 'All', description: 'Clicks every matching element instead of the first.' })
        .default(false),
    })
    .describe('Clicks an element.'),
  // The element may be an image, and a click may change the state of the page, for example by accepting cookies.
  needs: { pictures: true, ownContext: true },
  run: (tab, { selector, all }, { signal }) => tab.click(selector, { all }, signal),
})
