import { z } from 'zod'

import { defineAction } from '../plugin/define.ts'
import type { Json } from '@harvestman/ports'

export const executeJavascript = defineAction({
  type: 'executeJavascript',
  schema: z
    .object({
      script: z
        .string()
        .min(1)
        .max(100_000)
        .meta({ title: 'Script', description: 'The script. The value of its last expression is returned.' }),
    })
    .describe('Runs a script in the page, and returns its value in `actions.javascriptReturns`.'),
  isRepeated: false,
  // A script may read and change anything.
  needs: { pictures: true, ownContext: true },
  run: async (tab, { script }, { signal }) => {
    const value = await tab.evaluate(script, signal)
    return { into: 'javascriptReturns', value: { type: typeof value, value: asJson(value) } }
  },
})

/** Returns a JSON version of a value. The original type is reported next to it. */
function asJson(value: unknown): Json {
  if (typeof value === 'bigint') return String(value)
  return (JSON.parse(JSON.stringify(value ?? null) ?? 'null') ?? null) as Json
}
