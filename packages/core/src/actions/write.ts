import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'

/** Types into the focused element, so a click must come before. */
export const write = defineAction({
  type: 'write',
  schema: z
    .object({ text: z.string().max(100_000).meta({ title: 'Text', description: 'The text to type.' }) })
    .describe('Types into the focused element. Click it first.'),
  // Typing changes the state of the page, and the click before it may need images.
  needs: { pictures: true, ownContext: true },
  run: (tab, { text }, { signal }) => tab.type(text, signal),
})
