import { parseWebUrl } from '@harvestman/net/request'
import { EngineError, type Json } from '@harvestman/ports'
import type { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import type { Job } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { PageKind } from '../jobs/page-kind.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { BatchRequest } from '../schema/batch.ts'
import type { PageRequest } from '../schema/crawl.ts'
import { checkAddresses, readAddresses } from './addresses.ts'
import { addressStrategy, optionsOfPage, partsOf, urlsOfNote, makeVisitStart } from './strategy.ts'

/** A batch, and the invalid URLs of its request. */
export interface Batch<Document = AnyDocument> extends Job<Document> {
  readonly invalidURLs?: readonly string[]
}

const kind = 'batch'

/**
 * Creates the job kind of a batch, which visits each given URL once, with hosts in parallel. Opening a batch without a valid
 * URL rejects with `invalid_request`.
 */
export function batchKind(
  schema: () => z.ZodType<BatchRequest>,
  schemes: ReadonlySet<string>,
): PageKind<BatchRequest, Batch> {
  const textOf = (url: string): string | undefined => parseWebUrl(url, schemes).text
  return {
    name: kind,
    publicName: 'batch_scrape',
    schema,
    pages: ({ request }) => optionsOfPage(request as BatchRequest),
    remoteReadings: [],
    // A request without a valid URL is rejected later; any URL will do for planning.
    oneOf: ({ urls }) => textOf(urls.find((url) => textOf(url) !== undefined) ?? '') ?? 'https://example.com/',
    count: (request) => {
      checkAddresses(request, schemes)
      const { length } = request.urls
      return { least: length, most: length, maxCredits: request.maxCredits, what: 'addresses' }
    },
    /** Opens a job for the URLs, or adds them to an existing one. */
    begin: async (request, { caller, jobs, checkPages }) => {
      const { urls: _, appendToId, ...options } = request
      const { urls, invalidURLs } = await readAddresses(request, schemes)
      if (urls.length === 0) throw new EngineError('invalid_request', 'No valid URLs provided')
      const visits = makeVisitStart(urls, tariff.page, request.maxCredits)
      const job =
        appendToId === undefined
          ? await jobs.open({ ...caller, kind, request: options, ...visits })
          : await jobs.sendMore(appendToId, { team: caller.team, kind, checkOpening: checkPages }, partsOf(urls))
      return request.ignoreInvalidURLs ? { ...job, invalidURLs } : job
    },
    fullRequest: async ({ request }, facts) => {
      const urls: string[] = []
      for await (const fact of facts) for (const url of urlsOfNote(fact) ?? []) urls.push(url)
      return { ...(request as Readonly<Record<string, Json>>), urls }
    },
    open: addressStrategy,
  }
}

/**
 * Opens a batch of pages in the background. Returns the ids of the pages, in order, before they are loaded. Rejects with
 * `insufficient_credits` if the team has too few.
 */
export async function openPages(
  urls: readonly string[],
  request: PageRequest,
  call: JobCaller,
  jobs: Pick<Jobs, 'open' | 'pageIds'>,
): Promise<readonly string[]> {
  const { id } = await jobs.open({ ...call, kind, request, ...makeVisitStart(urls, tariff.page) })
  return jobs.pageIds(id, call.team, urls.length)
}
