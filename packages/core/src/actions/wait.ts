import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'
import { elementSelector } from '../schema/selector.ts'

// A wait for a selector counts as a second of the budget; what it really takes is bounded by the request's timeout.
const selectorCounts = 1_000

export const wait = defineAction({
  type: 'wait',
  schema: z
    .object({
      milliseconds: z.int().min(1).meta({ title: 'Time', description: 'How long to wait.', unit: 'ms' }).optional(),
      selector: elementSelector.describe('Waits until an element matches. Counts as 1 s of the waits.').optional(),
    })
    .describe('Waits for a time, or for an element: give one of them.'),
  check: ({ milliseconds, selector }) =>
    (milliseconds === undefined) === (selector === undefined)
      ? 'needs exactly one of milliseconds and selector'
      : undefined,
  waits: ({ milliseconds }) => milliseconds ?? selectorCounts,
  run: async (tab, { milliseconds, selector }, { clock, signal }) => {
    if (milliseconds !== undefined) await clock.sleep(milliseconds, signal)
    if (selector !== undefined) await tab.waitFor(selector, signal)
  },
})
