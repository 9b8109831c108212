import { EngineError } from '@harvestman/ports'
import { suggestChoice } from '@harvestman/toolbox/choices'

import { formatValue } from './format-value.ts'

/**
 * Creates the error `invalid_request` for a kind of job that the engine does not have. The message suggests the kinds that it
 * has.
 */
export function unknownKind(kind: unknown, kinds: readonly string[]): EngineError {
  const remedy = kinds.length > 0 ? suggestChoice(kind, kinds) : 'no plugin of this engine adds one'
  return new EngineError('invalid_request', `kind is ${formatValue(kind)}; ${remedy}.`)
}
