import type { EngineError } from './error.ts'

/** Remedies for one kind of users, such as operators. Keys are names of missing ports, and error codes. */
export type Remedies = Readonly<Record<string, string>>

/**
 * Returns the message of an error with one of these remedies. Applies to errors with a `problem` in their details: missing
 * ports and blocked URLs. Without a remedy for a missing port, `otherwise` is used, else the message is unchanged.
 */
export function messageWith({ code, message, details }: EngineError, remedies: Remedies, otherwise?: string): string {
  const { port, problem, otherRemedy } = details
  if (typeof problem !== 'string') return message
  const isMissing = code === 'not_configured' && typeof port === 'string'
  const key = isMissing ? port : code
  const remedy = Object.hasOwn(remedies, key) ? remedies[key] : isMissing ? otherwise : undefined
  return remedy === undefined ? message : [problem, remedy, otherRemedy].filter(Boolean).join(' ')
}
