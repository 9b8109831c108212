import { isRecord } from '@harvestman/ports'
import { z } from 'zod'

/** The option `record`, for all requests that access the network. */
export const record = z
  .boolean()
  .meta({
    title: 'Record',
    description: 'Records the network traffic of the run for a replay.',
    needs: 'a plugin that keeps records, such as records() of @harvestman/record',
    group: 'Cache and privacy',
  })
  .optional()

/** Returns whether a request has `record: true`, itself or in its `scrapeOptions`. */
export function isRecorded(request: unknown): boolean {
  return says(request, 'record')
}

/**
 * Returns whether nothing may be stored for a request: it or its `scrapeOptions` have `zeroDataRetention`, or its `enterprise`
 * has `zdr` or `anon`.
 */
export function storesNothing(request: unknown): boolean {
  const kinds = isRecord(request) ? request['enterprise'] : undefined
  const isPrivate = Array.isArray(kinds) && kinds.some((kind) => kind !== 'default')
  return isPrivate || says(request, 'zeroDataRetention')
}

function says(request: unknown, option: string): boolean {
  if (!isRecord(request)) return false
  const { [option]: own, scrapeOptions } = request
  return own === true || (isRecord(scrapeOptions) && scrapeOptions[option] === true)
}
