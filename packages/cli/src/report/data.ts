// Data of a job report: pages in order of arrival, and measurements from engine events.
import type { AnyJob, ExplainedUrl, JobErrors, ListedJob } from '@harvestman/client'
import type { AnyDocument } from '@harvestman/core'
import type { Observer } from '@harvestman/ports'

/** A page in a report. Values that this process did not measure are absent. */
export interface ReportPage {
  readonly url: string
  readonly status: number
  readonly title: string
  readonly bytes: number
  readonly ms?: number | undefined
  readonly depth?: number | undefined
  /** Milliseconds after the first page. */
  readonly at: number
}

export interface ReportData {
  readonly kind: string
  readonly id: string
  readonly status: string
  readonly message?: string | undefined
  readonly startedAt: string
  readonly took: number
  readonly credits: number
  readonly request: unknown
  readonly pages: readonly ReportPage[]
  readonly failures: readonly Pick<JobError, 'url' | 'code' | 'error'>[]
  /** URLs that were not visited, grouped by reason. */
  readonly left: readonly { readonly sentence: string; readonly urls: readonly string[] }[]
}

export interface Gathering {
  /** Measures the load time and size of each page. */
  readonly observer: Observer
  page(document: AnyDocument, at: string): void
  failed(error: JobError): void
  end(job: ListedJob, request: AnyJob['request'], took: number): Promise<ReportData>
}

type JobError = JobErrors['errors'][number]

interface Measured {
  ms?: number
  bytes?: number
}

/**
 * Collects the data of a report while a job runs. Pages that were not measured have no time; all times are in
 * milliseconds.
 */
export function gather(addressesOf: (id: string) => AsyncIterable<ExplainedUrl> | undefined): Gathering {
  const byTask = new Map<string, Measured>()
  const byUrl = new Map<string, Measured>()
  const pages: Omit<ReportPage, 'depth'>[] = []
  const failures: JobError[] = []
  let first: number | undefined
  return {
    observer: (event) => {
      if (event.kind === 'page.loaded') byTask.set(event.id, { bytes: event.bytes })
      if (event.kind !== 'scrape.completed') return
      byUrl.set(event.url, { ...byTask.get(event.id), ms: event.ms })
      byTask.delete(event.id)
    },
    page: ({ markdown, html, rawHtml, metadata }, time) => {
      const at = Date.parse(time)
      first ??= at
      const { sourceURL, url, statusCode, title } = metadata
      const { ms, bytes } = byUrl.get(sourceURL) ?? {}
      const text = [rawHtml, html, markdown].find((one) => typeof one === 'string')
      pages.push({
        url,
        status: statusCode,
        title: typeof title === 'string' ? title : '',
        bytes: bytes ?? (typeof text === 'string' ? Buffer.byteLength(text) : 0),
        ms,
        at: Math.max(0, at - first),
      })
    },
    failed: (error) => void failures.push(error),
    end: async ({ id, kind, status, error: message, createdAt, creditsUsed }, request, took) => {
      const { depths, left } = await explained(addressesOf(id))
      return {
        kind,
        id,
        status,
        message,
        startedAt: createdAt,
        took,
        credits: creditsUsed,
        request,
        pages: pages.map((page) => ({ ...page, depth: depths.get(page.url) })),
        failures,
        left,
      }
    },
  }
}

/** Returns the depth of each URL, and the skipped URLs by reason. */
async function explained(addresses: AsyncIterable<ExplainedUrl> | undefined) {
  const depths = new Map<string, number>()
  const left = new Map<string, string[]>()
  for await (const { url, depth, outcome, sentence } of addresses ?? []) {
    if (depth !== undefined) depths.set(url, depth)
    if (outcome !== 'left') continue
    const known = left.get(sentence)
    if (known) known.push(url)
    else left.set(sentence, [url])
  }
  return { depths, left: [...left].map(([sentence, urls]) => ({ sentence, urls })) }
}
