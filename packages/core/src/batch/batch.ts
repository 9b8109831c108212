import { EngineError, type Json } from '@harvestman/ports'
import { tariff } from '../credits/tariff.ts'
import type { Job } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { BatchRequest } from '../schema/batch.ts'
import type { PageRequest } from '../schema/crawl.ts'
import { readAddresses } from './addresses.ts'

/** A batch, and the addresses of the request that are none. */
export interface Batch<Document = AnyDocument> extends Job<Document> {
  readonly invalidURLs?: readonly string[]
}

export const batchKind = 'batch'

/** Opens a job for the addresses, or adds them to one. */
export async function openBatch(
  request: BatchRequest,
  call: JobCaller,
  jobs: Jobs,
  schemes?: ReadonlySet<string>,
): Promise<Batch> {
  const { urls: _, appendToId, ...options } = request
  const { urls, invalidURLs } = await readAddresses(request, schemes)
  if (urls.length === 0) throw new EngineError('invalid_request', 'No valid URLs provided')
  const job =
    appendToId === undefined
      ? await jobs.open({
          ...call,
          kind: batchKind,
          about: urls[0] ?? '',
          request: options,
          notes: notesOf(urls),
          left: urls.length,
          credits: Math.min(urls.length * tariff.page, request.maxCredits ?? Infinity),
        })
      : await jobs.sendMore(appendToId, { team: call.team, kind: batchKind }, urls)
  return request.ignoreInvalidURLs ? { ...job, invalidURLs } : job
}

/** Opens a batch of pages that nobody waits for. Gives the ids under which they are found, in their order. */
export async function openPages(
  urls: readonly string[],
  request: PageRequest,
  call: JobCaller,
  jobs: Pick<Jobs, 'open' | 'pageIds'>,
): Promise<readonly string[]> {
  const about = urls[0] ?? ''
  const credits = urls.length * tariff.page
  const job = { ...call, kind: batchKind, about, request, notes: notesOf(urls), left: urls.length, credits }
  const { id } = await jobs.open(job)
  return jobs.pageIds(id, call.team, urls.length)
}

// What stands in one note is read and held as a whole.
const urlsInNote = 1_000

export function notesOf(urls: readonly string[]): Json[] {
  const count = Math.ceil(urls.length / urlsInNote)
  return Array.from({ length: count }, (_, part) => ({ urls: urls.slice(part * urlsInNote, (part + 1) * urlsInNote) }))
}
