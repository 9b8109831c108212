import type { EngineError } from './error.ts'

/** Remedies for missing ports, in the terms of the readers of a message. Keys are port names. */
export type Remedies = Readonly<Record<string, string>>

/**
 * Returns the message of an error with the remedy of these readers for a missing port. Other errors keep their message, and so
 * do ports without a remedy, unless there is a general one.
 */
export function messageWith({ code, message, details }: EngineError, remedies: Remedies, otherwise?: string): string {
  const { port, problem, otherRemedy } = details
  if (code !== 'not_configured' || typeof port !== 'string' || typeof problem !== 'string') return message
  const remedy = Object.hasOwn(remedies, port) ? remedies[port] : otherwise
  return remedy === undefined ? message : [problem, remedy, otherRemedy].filter(Boolean).join(' ')
}
