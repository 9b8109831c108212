import { EngineError, type ErrorDetails } from '@harvestman/ports'
import type { Port } from './port.ts'

interface Sentence extends ErrorDetails {
  /** Text before "needs" in the message. Default: `because`. */
  readonly says?: string
  /** Another remedy to name in the message. */
  readonly or?: string | undefined
}

/** Creates the error for a missing port. The message includes the port's `help`. */
export function missingPort(
  port: Port,
  because: string,
  { says = because, or, ...details }: Sentence = {},
): EngineError {
  const message = `${says} needs ${port.help}${or === undefined ? '' : `; or ${or}`}.`
  return new EngineError('not_configured', message, { details: { port: port.name, because, ...details } })
}
