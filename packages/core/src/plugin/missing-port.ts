import { EngineError, type ErrorDetails } from '@harvestman/ports'
import type { Port } from './port.ts'

interface Sentence extends ErrorDetails {
  /** Text before "needs", when it is more than `because`. */
  readonly says?: string
  /** Remedy to name in its place. */
  readonly or?: string | undefined
}

/** Makes the error for a missing port. The port itself says what it is and how it is given. */
export function missingPort(
  port: Port,
  because: string,
  { says = because, or, ...details }: Sentence = {},
): EngineError {
  const message = `${says} needs ${port.help}${or === undefined ? '' : `; or ${or}`}.`
  return new EngineError('not_configured', message, { details: { port: port.name, because, ...details } })
}
