import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

export const scroll = defineAction({
  type: 'scroll',
  schema: z.object({
    direction: z.enum(['up', 'down']).default('down'),
    selector: z.string().min(1).max(2_000).optional(),
  }),
  run: (tab, { direction, selector }, { signal }) => tab.scroll(direction, selector, signal),
})
