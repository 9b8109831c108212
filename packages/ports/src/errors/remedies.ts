import type { EngineError } from './error.ts'

/** Remedies for one kind of users, such as operators. Keys are names of missing ports, and error codes. */
export type Remedies = Readonly<Record<string, string>>

/**
 * Returns the message for an error whose details have a `problem` (missing ports and parsers, and blocked URLs): the problem and
 * the remedy for its port or code, in place of the error's own message. Without such a remedy, a missing port or parser
 * (`isMissing`) gets `otherwise`. The error's own message is returned if there is no `problem` or no remedy.
 */
export function messageWith({ code, message, details }: EngineError, remedies: Remedies, otherwise?: string): string {
  const { port, problem, isMissing, otherRemedy } = details
  if (typeof problem !== 'string') return message
  const isMissingPort = code === 'not_configured' && typeof port === 'string'
  const key = isMissingPort ? port : code
  const fallback = isMissingPort || isMissing === true ? otherwise : undefined
  const remedy = Object.hasOwn(remedies, key) ? remedies[key] : fallback
  return remedy === undefined ? message : [problem, remedy, otherRemedy].filter(Boolean).join(' ')
}
