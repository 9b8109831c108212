import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

export const press = defineAction({
  type: 'press',
  schema: z.object({ key: z.string().min(1).max(100) }),
  run: (tab, { key }, { signal }) => tab.press(key, signal),
})
