import { EngineError } from '@harvestman/ports'

/**
 * What a flag says as a number. What is none stays the text that it is: the schema of the request refuses it by name, with what
 * was given, where `NaN` would be nothing that anybody has written.
 */
export function numberOr(text: string): number | string {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? text : number
}

/** What a flag says where no request is made of it: a whole number from 1. */
export function countOf(flag: string, text: string): number {
  const count = numberOr(text)
  if (Number.isInteger(count) && Number(count) > 0) return Number(count)
  throw new EngineError('invalid_request', `${flag} is ${JSON.stringify(text)}: give a whole number from 1.`)
}
