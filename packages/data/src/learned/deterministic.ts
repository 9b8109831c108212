import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { json } from './json.ts'

const type = 'deterministicJson'

/** Credits in addition to the page: 9 (10 in total) if a model was called, otherwise 2 (3 in total). */
const price = { asked: 9, known: 2 } as const

const asking = z.object({ request: z.object({ zeroDataRetention: z.boolean().optional() }) })

/** The `deterministicJson` format of the public API: fills `json` with a learned extractor, at its own price. */
export const deterministicJson = Object.freeze({
  ...json,
  ...{ type, name: type, as: json.type, optionsUnder: undefined },
  onFailure: 'warn' as const,
  derive: async (needs: unknown, context: unknown) => {
    const { request } = asking.parse(context)
    if (request.zeroDataRetention)
      throw new EngineError(
        'format_failed',
        'It learns from pages, which a request with zeroDataRetention does not allow.',
      )
    return json.derive(needs, context)
  },
  credits: (
    _: unknown,
    { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  ) => (inputTokens + outputTokens > 0 ? price.asked : price.known),
  creditsAtMost: () => price.asked,
} as const)
