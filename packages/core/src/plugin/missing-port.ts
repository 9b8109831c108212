import { EngineError, type ErrorDetails } from '@harvestman/ports'
import type { Port } from './port.ts'

interface Sentence extends ErrorDetails {
  /** Text before "needs" in the message. Default: `because`. */
  readonly subject?: string
  /** Another remedy to name in the message, as a clause: `give urls`. */
  readonly or?: string | undefined
}

/**
 * Creates the error `not_configured` for a missing port. Its message has the remedy for users of the library. Servers and
 * commands replace that by their own (`messageWith` of `@harvestman/ports`), so the details contain the problem without the
 * remedy.
 */
export function missingPort(
  port: Port,
  because: string,
  { subject = because, or, ...details }: Sentence = {},
): EngineError {
  const problem = `${subject} needs ${port.description}.`
  const otherRemedy = or === undefined ? undefined : `Or ${or}.`
  const message = [problem, port.remedy, otherRemedy].filter((part) => part !== undefined).join(' ')
  return new EngineError('not_configured', message, {
    details: { port: port.name, because, problem, ...(otherRemedy !== undefined && { otherRemedy }), ...details },
  })
}
