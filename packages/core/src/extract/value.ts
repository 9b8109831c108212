// The value of many pages, and where it is from.
import { mergeValues } from '../asking/merge.ts'
import type { Job } from '../jobs/handle.ts'
import { findMisfits, sayMisfits } from '@harvestman/json-schema'
import type { Json } from '@harvestman/ports'
import type { ExtractRequest } from '../schema/extract.ts'

interface FoundValue {
  readonly url: string
  readonly value: Json
}

export interface MergedValue {
  readonly data: Json
  /** For each field, the pages it is from. */
  readonly sources: Readonly<Record<string, readonly string[]>>
  readonly pages: number
  readonly warning?: string
}

export async function valueOf(job: Pick<Job, 'documents'>, { schema }: ExtractRequest): Promise<MergedValue> {
  const found: FoundValue[] = []
  let pages = 0
  for await (const { json, metadata } of job.documents()) {
    pages += 1
    if (json !== undefined) found.push({ url: metadata.sourceURL, value: json as Json })
  }
  const data = mergeValues(found.map(({ value }) => value))
  const misfits = schema ? findMisfits(data, schema) : []
  const warning = `The pages do not give all that the schema asks for. ${sayMisfits(misfits)}`
  return { data, sources: sourcesOf(found), pages, ...(misfits.length > 0 && { warning }) }
}

function sourcesOf(found: readonly FoundValue[]): Readonly<Record<string, readonly string[]>> {
  const sources: Record<string, string[]> = {}
  for (const { url, value } of found) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const [name, part] of Object.entries(value)) {
      const isThere = part !== null && part !== undefined && part !== '' && !(Array.isArray(part) && part.length === 0)
      if (isThere) (sources[name] ??= []).push(url)
    }
  }
  return sources
}
