import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

export const click = defineAction({
  type: 'click',
  schema: z.object({ selector: z.string().min(1).max(2_000), all: z.boolean().default(false) }),
  run: (tab, { selector, all }, { signal }) => tab.click(selector, { all }, signal),
})
