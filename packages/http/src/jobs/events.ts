// Events of a job as server-sent events.
import type { Job, JobEvent } from '@harvestman/core'

import { always, type Answer } from '../answer/answer.ts'
import { shownError } from '../refusals/errors.ts'
import type { RouteCall } from '../route/route.ts'
import { headOf } from './status.ts'
import type { ApiVersion } from '../versions/api-version.ts'

// Milliseconds. Proxies and browsers drop a connection that is silent for a minute.
const heartbeat = 15_000

/**
 * Resolves to a stream of the events of a job as server-sent events, after the event in the header `last-event-id`, with a
 * heartbeat every 15 seconds. Resolves to `undefined` if that event was the final one. Rejects with `not_found` if there is no
 * such job.
 */
export async function streamEvents(
  { engine, params, caller, signal, headers, settings }: RouteCall,
  api: ApiVersion,
): Promise<AsyncGenerator<string> | undefined> {
  const job = await engine.jobs.find(params['id'] ?? '', caller)
  const after = headers.get('last-event-id') ?? ''
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  const happened = job.events({ ...(after !== '' && { after }), signal: either })
  const events = happened[Symbol.asyncIterator]()
  if (after !== '' && (await isOver(job))) {
    const first = await events.next()
    if (first.done) return undefined
    return print(events, (event) => toText(event, api, settings), ending, first)
  }
  return print(events, (event) => toText(event, api, settings), ending)
}

async function isOver(job: Job): Promise<boolean> {
  return (await job.status()).status !== 'scraping'
}

type Next = IteratorResult<JobEvent, unknown>

async function* print(
  events: AsyncIterator<JobEvent>,
  text: (event: JobEvent) => string,
  ending: AbortController,
  first?: Next,
): AsyncGenerator<string> {
  // Do not await before the first read: a generator that never starts never runs its `finally`.
  let next = first ? Promise.resolve(first) : events.next()
  try {
    yield 'retry: 2000\n\n'
    for (;;) {
      const result = await withHeartbeat(next)
      if (result === undefined) {
        yield ':\n\n'
        continue
      }
      if (result.done) return
      yield text(result.value)
      next = events.next()
    }
  } finally {
    // The listener has disconnected: stop the pending read and ignore its failure.
    ending.abort()
    next.catch(() => undefined)
    await events.return?.()
  }
}

/** Waits for the next event. Returns `undefined` when a heartbeat is due. */
async function withHeartbeat(next: Promise<Next>): Promise<Next | undefined> {
  let timer: NodeJS.Timeout | undefined
  const beat = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), heartbeat)
  })
  try {
    return await Promise.race([next, beat])
  } finally {
    clearTimeout(timer)
  }
}

function toText(event: JobEvent, api: ApiVersion, settings: RouteCall['settings']): string {
  const { id, job, at } = event
  return `id: ${id}\nevent: ${event.type.replaceAll(' ', '_')}\ndata: ${JSON.stringify({ job, at, ...bodyOf(event, api, settings) })}\n\n`
}

function bodyOf(event: JobEvent, api: ApiVersion, settings: RouteCall['settings']): object {
  if (event.type === 'started') return {}
  if (event.type === 'page') return { document: api.document(event.document, settings) }
  if (event.type === 'failed page') return { error: { ...event.error, ...shownError(event.error) } }
  return { status: headOf(event.status, api) }
}

/** Returns the response that streams server-sent events; 204 without a stream, which tells clients not to reconnect. */
export function eventsAnswer(stream: AsyncGenerator<string> | undefined, headers: Answer['headers']): Answer {
  // Status 204 tells an EventSource to stop reconnecting.
  if (!stream) return { status: 204, headers: { ...always, ...headers }, body: undefined }
  const type = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
  return { status: 200, headers: { ...always, ...headers, ...type }, body: stream }
}
