import { statusOf } from '../log/checkpoint.ts'
import type { JobStatus } from '../handle.ts'
import { EngineError } from '@harvestman/ports'
import type { Webhook, WebhookEvent } from '../../schema/webhook.ts'
import { type Notice, deliver, forgetLost, type Source, send } from '@harvestman/webhooks'
import type { Log, Segment } from '@harvestman/coordination'
import { documentReader } from '../log/documents.ts'
import { factsOf, pagesOf, type Fact, type Opening } from '../log/facts.ts'
import { parseDocument } from '../log/events.ts'
import { readSlice } from '../log/read-documents.ts'
import { isNotFound, type JobView } from '../log/view.ts'
import type { JobKit } from '../kit.ts'
import type { JobWebhookMessages, ReportedJob } from '../run/strategy.ts'
import { deliveryId } from './delivery-state.ts'
import { isFromWriter, noticeId, logPositionOf } from './notice-id.ts'
import type { JobStorage } from '../log/storage.ts'

export interface WebhookDelivery {
  readonly view: () => Promise<JobView>
  readonly kit: JobKit
  readonly signal: AbortSignal
  /** Log position at which this worker took over the job. Absent if the job does not run here. */
  readonly takenAt?: number | undefined
  /** Resolves when a redelivery of abandoned messages may have been requested. */
  readonly redeliveryRequested: (signal: AbortSignal) => Promise<void>
}

/**
 * Delivers the events of a job until it has ended. Resolves to whether delivery is complete, also true for a job that no longer
 * exists. False if it was aborted or failed, with a warning for a failure; call it again later then.
 */
export async function deliverWebhook(webhook: Webhook, options: WebhookDelivery): Promise<boolean> {
  try {
    await deliverEvents(webhook, options)
    return true
  } catch (error) {
    if (isNotFound(error)) return true
    if (!options.signal.aborted) options.kit.warn('A webhook is tried again later.', error)
    return false
  }
}

async function deliverEvents(
  webhook: Webhook,
  { view, kit, signal, redeliveryRequested, takenAt = Infinity }: WebhookDelivery,
): Promise<void> {
  const { opening, storage } = await view()
  const { fetcher, guard } = kit.scrape
  const { team } = opening
  const sender = { fetcher, guard, team, now: () => kit.clock.now(), secrets: kit.webhookSecrets(team) }
  const { publicName: prefix = opening.kind, telling } = kit.kinds.find(({ name }) => name === opening.kind) ?? {}
  const eventOf = telling?.event ?? eventOfPages
  const reportedJob = (): ReportedJob => openReportedJob(opening, view)
  const counts = async (): Promise<EndCounts> => {
    const { outcome, total, completed, failed } = statusOf(await view())
    return { outcome, total, completed, failed }
  }
  const read = readOneByOne(storage)
  await deliver({
    source: sourceOf(webhook, eventOf, view, read),
    send: async (id, ends) => {
      const body = await bodyOf(id, {
        prefix,
        webhook,
        opening,
        eventOf,
        telling,
        reportedJob,
        read,
        log: storage.log,
        now: sender.now,
        counts,
      })
      return send(webhook, { id: deliveryId(opening.id, id), body }, sender, ends)
    },
    store: kit.store,
    name: storage.name,
    keep: storage.keep,
    // The outbox should have no event at or after the takeover position: such a record is from a lost history of the log.
    correct: (outbox) =>
      forgetLost(outbox, (id) => logPositionOf(id).place >= takenAt, `${takenAt - 1}-${lastOfSegment}`),
    backlog: kit.backlog,
    clock: kit.clock,
    signal,
    redeliveryRequested,
  })
}

/** Greater than the index of any event in a segment. */
const lastOfSegment = 999_999_999

type ReadSegment = (place: number) => Promise<Segment | undefined>

/** Caches the last segment read: consecutive messages usually come from the same one. */
function readOneByOne({ log }: JobStorage): ReadSegment {
  let last: { readonly place: number; readonly segment: Promise<Segment | undefined> } | undefined
  return async (place) => {
    if (last?.place !== place) last = { place, segment: log.read(place) }
    const mine = last
    try {
      const segment = await mine.segment
      if (!segment && last === mine) last = undefined
      return segment
    } catch (error) {
      if (last === mine) last = undefined
      throw error
    }
  }
}

function openReportedJob(opening: Opening, view: () => Promise<JobView>): ReportedJob {
  return {
    opening,
    creditsUsed: async () => (await view()).tally.credits,
    documents: async function* () {
      const { storage, index } = await view()
      for (let skip = 0; skip < index.size;) {
        const { documents, free } = await readSlice(storage.log, index, { skip, limit: 100, maxBytes: 2_000_000 })
        if (documents.length === 0) return
        skip += documents.length
        for (const document of documents) yield parseDocument(document)
        free()
      }
    },
  }
}

type EventOf = JobWebhookMessages['event']

function sourceOf({ events }: Webhook, eventOf: EventOf, view: () => Promise<JobView>, read: ReadSegment): Source {
  return {
    after: async (after, most) => {
      const { places, tally } = await view()
      const messages: Notice[] = []
      let { place, index } = logPositionOf(after)
      let upTo = after
      for (; place < places; place += 1, index = -1) {
        const segment = await read(place)
        for (const [at, fact] of (segment ? factsOf(segment) : []).entries()) {
          if (at <= index) continue
          if (messages.length === most) return { messages, upTo, isEnd: false }
          const event = eventOf(fact)
          upTo = noticeId(place, at, segment?.by)
          if (event && events.includes(event)) messages.push({ id: upTo, order: orderOf(event) })
        }
      }
      return { messages, upTo, isEnd: tally.status !== 'scraping' }
    },
    changed: async (signal) => (await view()).changed(signal),
  }
}

function eventOfPages(fact: Fact): WebhookEvent | undefined {
  switch (fact.is) {
    case 'opened':
      return 'started'
    case 'page':
    case 'failed':
      return 'page'
    case 'ended':
      return fact.status
    default:
      return undefined
  }
}

function orderOf(event: WebhookEvent): Notice['order'] {
  if (event === 'started') return 'first'
  return event === 'page' || event === 'action' ? 'any' : 'last'
}

/** Counts in the final message of a job about pages. */
type EndCounts = Pick<JobStatus, 'outcome' | 'total' | 'completed' | 'failed'>

interface MessageParts {
  readonly prefix: string
  readonly webhook: Webhook
  readonly opening: Opening
  readonly eventOf: EventOf
  readonly telling: JobWebhookMessages | undefined
  readonly reportedJob: () => ReportedJob
  readonly read: ReadSegment
  readonly log: Log
  readonly now: () => number
  readonly counts: () => Promise<EndCounts>
}

/** Builds the message of an event in the format of the public API. Documents are inserted as stored, without parsing. */
async function bodyOf(event: string, parts: MessageParts): Promise<Uint8Array> {
  const { prefix, webhook, opening, eventOf, telling, reportedJob, read, now } = parts
  const { place, index } = logPositionOf(event)
  const segment = await read(place)
  const fact = segment && factsOf(segment)[index]
  if (!fact || !isFromWriter(event, segment.by)) throw lostEvent(opening, now())
  const error = errorIn(fact)
  const head = {
    success: error === undefined,
    type: `${prefix}.${eventOf(fact)}`,
    id: opening.id,
    webhookId: deliveryId(opening.id, event),
    metadata: webhook.metadata,
    ...(error !== undefined && { error }),
    ...(fact.is === 'ended' && !telling && (await parts.counts())),
  }
  const data = telling ? await telling.data(fact, reportedJob()) : undefined
  return Buffer.concat([
    Buffer.from(JSON.stringify(head).slice(0, -1)),
    Buffer.from(',"data":['),
    data ? Buffer.from(JSON.stringify(data).slice(1, -1)) : await dataOfPage(fact, segment, parts.log),
    Buffer.from(']}'),
  ])
}

function lostEvent({ expiresAt }: Opening, now: number): EngineError {
  if (expiresAt <= now) return new EngineError('not_found', 'The job has expired.')
  return new EngineError(
    'store_failed',
    'The store does not have an event of the job. The job continues from what is there.',
  )
}

async function dataOfPage(fact: Fact, segment: Segment, log: Log): Promise<Uint8Array> {
  if (fact.is !== 'failed') {
    const index = pagesOf(segment).findIndex((page) => page === fact)
    const [page] = index < 0 ? [] : await documentReader(log).of(segment, index, index + 1)
    return page?.bytes ?? new Uint8Array()
  }
  return Buffer.from(JSON.stringify({ metadata: { sourceURL: fact.url, error: fact.message } }))
}

function errorIn(fact: Fact): string | undefined {
  if (fact.is === 'failed') return fact.message
  return fact.is === 'ended' && fact.status === 'failed' ? (fact.message ?? 'The job failed.') : undefined
}
