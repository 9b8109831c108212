import type { JobPage, JobStatus } from '@harvestman/core'

import { always, type Answer } from '../answer/answer.ts'
import type { RouteCall } from '../route/route.ts'
import type { Pagination, ApiVersion } from '../versions/api-version.ts'

/** Maximum bytes of the documents in one response, and their default number. */
export const pageLimits = { documents: 100, bytes: 10 * 1024 * 1024 }

// Clients follow `next` without a pause. At the end of a running job, the response waits for new documents, at most this many
// milliseconds.
const longPoll = 1_000

export interface Shown {
  readonly head: object
  readonly documents: readonly Uint8Array[]
  /** Called once the response was sent. */
  readonly sent?: () => void
}

/**
 * Returns the state of a job and a page of its documents: at most 10 MiB unless one document is larger, and 100 documents
 * without `limit`. Rejects with `not_found` if there is no such job. With `skip` it may wait up to a second for more documents.
 * Call `sent` when the documents are no longer needed.
 */
export async function showStatus(
  { engine, params, caller, query, at, signal, settings }: RouteCall<unknown, Pagination>,
  path: string,
  api: ApiVersion,
): Promise<Shown> {
  const id = params['id'] ?? ''
  const job = await engine.jobs.find(id, caller)
  const { skip, limit } = query
  const page = await job.page({
    skip: skip ?? 0,
    limit: limit ?? pageLimits.documents,
    maxBytes: pageLimits.bytes,
    // A caller without `skip` polls at its own pace and wants the status now.
    ...(skip !== undefined && { wait: longPoll }),
    signal,
  })
  const next = page.next === undefined ? {} : { next: `${at}${path}/${id}${nextQuery(page.next, limit)}` }
  return {
    head: { ...headOf(page.status, api), ...next },
    documents: await api.pieces(page.documents, settings),
    sent: page.free,
  }
}

function nextQuery(skip: number, limit: number | undefined): string {
  return limit === undefined ? `?skip=${skip}` : `?skip=${skip}&limit=${limit}`
}

/**
 * Returns the fields that every response about a job starts with. `success` is false only for a job that failed without any
 * document.
 */
export function headOf(status: JobStatus, api: ApiVersion): object {
  const { total, completed, creditsUsed, expiresAt, message } = status
  const isFailed = status.status === 'failed'
  return {
    // A job that failed before its first page is reported as a failure. With pages it is not, or clients would not read them.
    success: !isFailed || completed > 0,
    status: status.status,
    ...(isFailed && { error: message ?? 'The job failed.' }),
    total,
    completed,
    creditsUsed,
    ...api.more(status, Date.now()),
    expiresAt,
  }
}

/** Returns the status of a job as chunks of JSON. Stored documents are neither parsed nor serialized again. */
export function statusPieces({ head, documents }: Shown): readonly Uint8Array[] {
  const start = JSON.stringify(head).slice(0, -1)
  return [Buffer.from(`${start},"data":[`), ...documents, Buffer.from(']}')]
}

/** Returns the response with the status and documents of a job. It has status 200 also for a failed job. */
export function statusAnswer(shown: Shown, headers: Answer['headers']): Answer {
  return { status: 200, headers: { ...always, ...headers }, body: statusPieces(shown), sent: shown.sent }
}

/**
 * Returns whether the job has documents after this page, which starts at document `skip`. Counts only documents that are
 * complete; a running job may add more.
 */
export function hasMore({ status, count }: JobPage, skip = 0): boolean {
  return skip + count < status.completed
}
