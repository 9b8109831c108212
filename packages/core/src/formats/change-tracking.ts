import { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import { defineFormat } from '../plugin/define.ts'
import { definePort } from '../plugin/port.ts'
import { jsonSchema } from '../schema/json-schema.ts'

const history = definePort<unknown>({
  name: 'history',
  help: 'a history of snapshots, which this engine does not have',
})

/** Its words are part of every request. Comparing needs a history of snapshots, which is a port of its own. */
export const changeTracking = defineFormat({
  type: 'changeTracking',
  options: z.object({
    modes: z
      .array(z.enum(['git-diff', 'json']))
      .max(2)
      .default([]),
    schema: jsonSchema.optional(),
    prompt: z.string().max(10_000).optional(),
    tag: z.string().max(200).nullable().default(null),
  }),
  optionsUnder: 'changeTrackingOptions',
  requires: { history },
  accompanies: ['markdown'],
  needs: {},
  derive: () => undefined,
  credits: ({ modes }) => (modes.includes('json') ? tariff.modelFormat : 0),
})
