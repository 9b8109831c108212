import { createEngine } from '@harvestman/core'
import { defineAction, definePlugin } from '@harvestman/core/plugin'
import type { MakeBrowser } from '@harvestman/ports'
import { z } from 'zod'

/** Counts the elements that match a selector when the action runs. */
export const count = defineAction({
  type: 'count',
  schema: z.object({ selector: z.string().min(1) }),
  run: async (tab, { selector }, { signal }) => {
    const value = await tab.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`, signal)
    return { into: 'counts', value: Number(value) }
  },
})

export async function countItems(url: string, browser: MakeBrowser): Promise<readonly number[]> {
  const engine = createEngine({ browser, plugins: [definePlugin({ name: 'counting', actions: [count] })] })
  try {
    const { actions } = await engine.scrape({ url, actions: [{ type: 'count', selector: 'li' }] })
    return actions?.counts ?? []
  } finally {
    await engine.close()
  }
}
