import { EngineError } from '@harvestman/ports'

/**
 * Parses a flag as a number. Anything else is returned unchanged, so that the request schema rejects it with its name and value
 * instead of `NaN`.
 */
export function numberOr(text: string): number | string {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? text : number
}

/** Parses a flag that must be an integer from 1. Throws `invalid_request` otherwise. */
export function countOf(flag: string, text: string): number {
  const count = numberOr(text)
  if (Number.isInteger(count) && Number(count) > 0) return Number(count)
  throw new EngineError('invalid_request', `${flag} must be an integer from 1, but is ${JSON.stringify(text)}.`)
}
