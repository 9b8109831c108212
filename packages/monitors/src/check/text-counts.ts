// Determines whether a changed page text counts as a change.
import { compilePatterns, isPatternProblem } from '@harvestman/json-schema'

import type { ChangeRules } from '../requests/change.ts'

/** A unified diff: `+` for added and `-` for removed lines. */
interface Difference {
  readonly text: string
}

/**
 * Returns whether the diff has a changed line that matches `only`, and changed lines of at least `leastCharacters` characters
 * together. True without a diff, or without these rules; invalid patterns are ignored.
 */
export function textCounts(diff: Difference | undefined, { only, leastCharacters }: ChangeRules): boolean {
  if (!diff || (only.length === 0 && leastCharacters === 0)) return true
  const lines = diff.text.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line))
  const patterns = compilePatterns(only)
  if (only.length > 0 && !isPatternProblem(patterns)) {
    if (!lines.some((line) => patterns.find(line.slice(1, 20_000)) !== undefined)) return false
  }
  return lines.reduce((sum, line) => sum + line.length - 1, 0) >= leastCharacters
}
