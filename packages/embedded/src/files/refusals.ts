import { EngineError } from '@harvestman/ports'

/** Returns the `closed` error for calls after the files were closed. */
export function filesClosed(): EngineError {
  return new EngineError('closed', 'These files were closed. Open them again.')
}

/**
 * Returns the `store_failed` error for a file of `size` bytes, which is larger than the limit of `most` bytes for all files
 * together.
 */
export function blobTooLarge(size: number, most: number): EngineError {
  const message = `A file of ${size} bytes is larger than the limit of ${most} bytes for all files. Raise that limit.`
  return new EngineError('store_failed', message, { details: { bytes: size, limit: most } })
}
