import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

export const press = defineAction({
  type: 'press',
  schema: z
    .object({
      key: z
        .string()
        .min(1)
        .max(100)
        .meta({ title: 'Key', description: 'The name of the key, such as Enter or ArrowDown.' }),
    })
    .describe('Presses a key.'),
  // A key press can submit and select like a click.
  needs: { pictures: true, ownContext: true },
  run: (tab, { key }, { signal }) => tab.press(key, signal),
})
