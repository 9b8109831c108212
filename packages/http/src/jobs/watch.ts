// Sends the progress of a job over a WebSocket.
import { EngineError, type JobStatus } from '@harvestman/core'

import { refusalOf } from '../refusals/errors.ts'
import type { RouteCall } from '../route/route.ts'
import { hasMore, headOf, pageLimits, statusPieces } from './status.ts'
import type { ApiVersion } from '../versions/api-version.ts'
import type { Closing, Message, Watching } from '../answer/watching.ts'

const closeCodes = { done: 1000, goingAway: 1001, refused: 1008, fault: 1011, unauthorized: 3000, forbidden: 3003 }

/**
 * Yields the existing documents of a job (the first 10 MiB in one message), then each document as it is finished, then the end
 * of the job, as far as the API version has a message for it. Returns the close frame. Throws `not_found` if there is no such
 * job. If the final message would have more than 10 MiB of documents, it is omitted.
 */
export async function* watchJob(call: RouteCall, api: ApiVersion): Watching {
  const { engine, params, caller, signal, settings } = call
  const job = await engine.jobs.find(params['id'] ?? '', caller)
  const page = await job.page({ skip: 0, limit: Infinity, maxBytes: pageLimits.bytes, signal })
  const isPart = hasMore(page)
  // Clients treat a catchup with an end status as complete, but here documents follow.
  const status: JobStatus = isPart ? { ...page.status, status: 'scraping' } : page.status
  yield message(
    'catchup',
    statusPieces({ head: headOf(status, api), documents: await api.pieces(page.documents, settings) }),
  )
  if (status.status !== 'scraping') return yield* tellEnd(status, api, [])
  for await (const document of job.documents({ skip: page.count, signal })) {
    yield message('document', [Buffer.from(JSON.stringify(api.document(document, settings)))])
  }
  const end = await job.end({ signal })
  if (!api.tellsEnd) return yield* tellEnd(end, api, [])
  const all = await job.page({ skip: 0, limit: Infinity, maxBytes: pageLimits.bytes, signal })
  // Official clients return the documents of the last message as the result. If they do not fit into one message, the socket
  // closes without it, and the clients read the result page by page over HTTP.
  if (end.status !== 'failed' && hasMore(all)) return readByHttp
  const documents = await api.pieces(all.documents, settings)
  // The official client treats every "done" as a success, so any other end is sent as a status.
  if (end.status === 'cancelled') yield message('catchup', stateOf(end, api, documents))
  return yield* tellEnd(end, api, documents)
}

const readByHttp: Closing = { code: closeCodes.done, reason: '{"type":"done"}' }

function message(type: string, data: readonly Uint8Array[]): Message {
  return [Buffer.from(`{"type":"${type}","data":`), ...data, Buffer.from('}')]
}

function stateOf(status: JobStatus, api: ApiVersion, documents: readonly Uint8Array[]): readonly Uint8Array[] {
  return statusPieces({ head: headOf(status, api), documents })
}

async function* tellEnd(status: JobStatus, api: ApiVersion, documents: readonly Uint8Array[]): Watching {
  if (status.status === 'failed') {
    const error = { type: 'error', error: status.message ?? 'The job failed.' }
    if (api.tellsEnd) yield JSON.stringify(error)
    return { code: closeCodes.done, reason: fit(error) }
  }
  if (api.tellsEnd) yield message('done', stateOf(status, api, documents))
  return { code: closeCodes.done, reason: '{"type":"done"}' }
}

/**
 * Returns the close frame of a socket whose job could not be opened. The reason is JSON with the error message, cut to 123
 * bytes, the maximum of a close frame.
 */
export function closingOf(thrown: unknown): Closing {
  const { error } = refusalOf(thrown, { notFound: 'Job not found' })
  return { code: codeOf(thrown), reason: fit({ type: 'error', error }) }
}

function codeOf(thrown: unknown): number {
  switch (EngineError.is(thrown) ? thrown.code : undefined) {
    case 'unauthorized':
      return closeCodes.unauthorized
    case 'forbidden':
      return closeCodes.forbidden
    case 'not_found':
    case 'invalid_request':
      return closeCodes.refused
    case 'closed':
      return closeCodes.goingAway
    default:
      return closeCodes.fault
  }
}

// Maximum bytes of a close reason (RFC 6455).
const maxReasonBytes = 123

function fit({ type, error }: { readonly type: string; readonly error: string }): string {
  for (let length = error.length; ; length -= 1) {
    const shown = length === error.length ? error : `${error.slice(0, length)}…`
    const reason = JSON.stringify({ type, error: shown })
    if (Buffer.byteLength(reason) <= maxReasonBytes) return reason
  }
}
