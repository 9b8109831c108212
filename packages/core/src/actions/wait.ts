import { z } from 'zod'

import { type Clock, EngineError, type Tab } from '@harvestman/ports'
import { defineAction } from '../plugin/define.ts'
import { elementSelector } from '../schema/selector.ts'

// Milliseconds that a wait for a selector counts towards the limit for waits. Its real duration is limited by the timeout.
const selectorCounts = 1_000

export const wait = defineAction({
  type: 'wait',
  schema: z
    .object({
      milliseconds: z.int().min(1).meta({ title: 'Time', description: 'How long to wait.', unit: 'ms' }).optional(),
      selector: elementSelector
        .describe('Waits until an element matches. Counts as 1 s toward the limit of all waits.')
        .optional(),
    })
    .describe('Waits for a time, or for an element. Set one of them.'),
  check: ({ milliseconds, selector }) =>
    (milliseconds === undefined) === (selector === undefined)
      ? 'needs exactly one of milliseconds and selector'
      : undefined,
  waits: ({ milliseconds }) => milliseconds ?? selectorCounts,
  needs: { pictures: false, ownContext: false },
  run: async (tab, { milliseconds, selector }, { clock, signal, mayRetry }) => {
    if (milliseconds !== undefined) await clock.sleep(milliseconds, signal)
    if (selector === undefined) return
    await (mayRetry ? waitBriefly(tab, selector, clock, signal) : tab.waitFor(selector, signal))
  },
})

// Some elements appear only after an image has loaded. Nearly all others appear within this time in milliseconds.
const briefly = 10_000

async function waitBriefly(tab: Tab, selector: string, clock: Clock, signal: AbortSignal): Promise<void> {
  const found = new AbortController()
  const late = new AbortController()
  const giveUp = (): void => late.abort(new EngineError('action_failed', `Nothing on the page matches "${selector}".`))
  clock.sleep(briefly, found.signal).then(giveUp, () => undefined)
  try {
    await tab.waitFor(selector, AbortSignal.any([signal, late.signal]))
  } finally {
    found.abort()
  }
}
