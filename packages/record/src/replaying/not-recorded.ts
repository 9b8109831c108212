import { EngineError } from '@harvestman/ports'

/** Creates the `not_cached` error for a request that is not in the record. */
export function notRecorded(what: string): EngineError {
  const shown = what.replace(/ sha256:[\da-f]+$/, ' with another body')
  return new EngineError(
    'not_cached',
    `Not in the record: ${shown}. Record it again, or replay with patch to add it.`,
    {
      details: { notRecorded: shown },
    },
  )
}
