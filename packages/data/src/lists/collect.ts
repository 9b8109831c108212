import { defineAction } from '@harvestman/core/plugin'
import { z } from 'zod'

import { follow } from './follow.ts'
import { gather } from './gather.ts'
import { proofOf } from './proof.ts'

const options = z
  .object({
    limit: z.int().min(1).max(20_000).meta({ title: 'Limit', description: 'Maximum number of rows.' }).default(1_000),
    steps: z
      .int()
      .min(1)
      .max(10_000)
      .meta({
        title: 'Steps',
        description: 'Maximum number of steps: turning a page, loading more, or scrolling.',
      })
      .default(100),
    time: z
      .int()
      .min(1_000)
      .max(240_000)
      .meta({
        title: 'Time',
        description: 'Maximum time, within the `timeout` of the request. The rows collected by then are returned.',
        unit: 'ms',
      })
      .default(20_000),
    next: z
      .string()
      .min(1)
      .max(1_000)
      .meta({
        title: 'Next',
        description: 'CSS selector of the control for the next page. Default: detected automatically.',
      })
      .optional(),
  })
  .describe(
    'Collects the items of a list from all of its pages in `actions.collected`: turns pages, loads more, and scrolls.',
  )

/** Action that collects all items of a list: turns pages, clicks "load more" and scrolls, up to the given limits. */
export const collect = defineAction({
  type: 'collect',
  schema: options,
  isRepeated: false,
  // Clicks may leave state in the page, so it needs a browser context of its own. Images are not needed.
  needs: { pictures: false, ownContext: true },
  run: async (tab, { limit, ...asked }, context) => {
    const gathered = gather(limit)
    const { end, steps } = await follow(tab, asked, { ...context, gathered, limit })
    const { size, total = null, json = null } = gathered
    const proof = proofOf(end, size, total ?? undefined)
    return {
      into: 'collected',
      value: { url: await tab.url(), ...gathered.list(), total, ...proof, json, steps },
    }
  },
})
