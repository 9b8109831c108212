import type { Usage } from '@harvestman/ports'

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** Returns the sum of two token counts. */
export function sumUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}
