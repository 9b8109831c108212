import { EngineError } from '../errors/error.ts'

/**
 * Refuses a record that a later version of the engine has written: what it means is not known here, and guessing would
 * spoil it. A record without a number is from before they were counted.
 */
export function checkVersion(what: string, { v = 0 }: { readonly v?: number | undefined }, known: number): void {
  if (v <= known) return
  throw new EngineError(
    'store_failed',
    `${what} was written by a newer Harvestman (records of version ${v}; this one reads up to ${known}). Update this engine, or give it a store of its own.`,
    { details: { reason: 'newer version' } },
  )
}

export function isNewerVersion(error: unknown): boolean {
  return EngineError.is(error) && error.details?.['reason'] === 'newer version'
}
