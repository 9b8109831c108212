import { isRecord } from '@harvestman/ports'
import { z } from 'zod'

/** The option of every request that is carried out by asking the outside. */
export const record = z
  .boolean()
  .meta({
    title: 'Record',
    description: 'Records everything that is requested from outside, so that the run can be replayed.',
    needs: 'a plugin that keeps records, such as records() of @harvestman/record',
    group: 'Cache and privacy',
  })
  .optional()

/** True when a request asks for a record, itself or for its pages. */
export function isRecorded(request: unknown): boolean {
  return says(request, 'record')
}

/** True when a request, or its pages, may leave nothing behind. */
export function leavesNothing(request: unknown): boolean {
  const kinds = isRecord(request) ? request['enterprise'] : undefined
  const isPrivate = Array.isArray(kinds) && kinds.some((kind) => kind !== 'default')
  return isPrivate || says(request, 'zeroDataRetention')
}

function says(request: unknown, option: string): boolean {
  if (!isRecord(request)) return false
  const { [option]: own, scrapeOptions } = request
  return own === true || (isRecord(scrapeOptions) && scrapeOptions[option] === true)
}
