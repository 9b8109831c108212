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
  // The element may be a picture, and the page may remember what a click accepts, selects or opens.
  needs: { pictures: true, ownContext: true },
  run: (tab, { selector, all }, { signal }) => tab.click(selector, { all }, signal),
})
