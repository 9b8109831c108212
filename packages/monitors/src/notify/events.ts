// Webhook messages of a check in the format of the public API: one per page, and one at the end.
import type { Notice, Source } from '@harvestman/webhooks'
import { uuidv8 } from '@harvestman/toolbox/uuid'

import { summaryOf, type CheckedPage, type CheckRecord } from '../records/check.ts'
import type { MonitorKit } from '../kit.ts'

/** The subject of a message: a page, or the end of the check. */
type About = CheckedPage | 'end'

/** Returns the id of a message. It stays the same across retries. */
export function messageId(check: string, id: string): string {
  return uuidv8(`${check}/${id}`)
}

/**
 * Returns the messages of an ended check for the given events: each page in order for `monitor.page`, then the end for
 * `monitor.check.completed`. Other names are ignored.
 */
export function eventsOf(check: CheckRecord, events: readonly string[], kit: Pick<MonitorKit, 'checks'>): Source {
  const wanted = { pages: events.includes('monitor.page'), end: events.includes('monitor.check.completed') }
  return {
    after: async (after, most) => {
      const messages: Notice[] = []
      let { segment, index } = placeOf(after)
      if (after === 'end') return { messages, upTo: after, isEnd: true }
      for (; wanted.pages && segment < check.segments.length; segment += 1, index = -1) {
        const { length } = await readSegment(check, segment, kit)
        for (let at = index + 1; at < length; at += 1) {
          if (messages.length === most) return { messages, upTo: messages.at(-1)?.id, isEnd: false }
          messages.push({ id: `${segment}-${at}`, order: 'any' })
        }
      }
      if (wanted.end) messages.push({ id: 'end', order: 'last' })
      return { messages, upTo: 'end', isEnd: true }
    },
    // An ended check has no further messages, so this never resolves.
    changed: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  }
}

/**
 * Returns the body of a webhook message as JSON; `undefined` for a page that is no longer stored. Rejects if the store fails.
 */
export async function bodyOf(
  id: string,
  check: CheckRecord,
  metadata: Readonly<Record<string, string>>,
  kit: Pick<MonitorKit, 'checks'>,
): Promise<Uint8Array | undefined> {
  const about = await aboutOf(id, check, kit)
  if (about === undefined) return undefined
  const failure =
    about === 'end'
      ? check.status === 'completed'
        ? undefined
        : (check.error ?? `The check is ${check.status}.`)
      : about.error
  const body = {
    success: failure === undefined || failure === null,
    type: about === 'end' ? 'monitor.check.completed' : 'monitor.page',
    id: check.id,
    webhookId: messageId(check.id, id),
    data: [about === 'end' ? endOf(check) : pageOf(about, check)],
    metadata,
    ...(failure && { error: failure }),
  }
  return Buffer.from(JSON.stringify(body))
}

function endOf(check: CheckRecord) {
  return { monitorId: check.monitorId, checkId: check.id, status: check.status, summary: summaryOf(check) }
}

function pageOf(
  { url, status, previousScrapeId, currentScrapeId, error, judgment, diff }: CheckedPage,
  check: CheckRecord,
) {
  const { text, json } = diff ?? {}
  const isFields = json !== undefined && !(typeof json === 'object' && json !== null && 'files' in json)
  return {
    ...{ monitorId: check.monitorId, checkId: check.id, url, status, previousScrapeId, currentScrapeId, error },
    isMeaningful: status === 'changed' ? (judgment?.meaningful ?? null) : null,
    judgment,
    diff: diff && { ...(text !== undefined && { text }), ...(isFields && { json }) },
  }
}

async function aboutOf(id: string, check: CheckRecord, kit: Pick<MonitorKit, 'checks'>): Promise<About | undefined> {
  if (id === 'end') return 'end'
  const { segment, index } = placeOf(id)
  return (await readSegment(check, segment, kit))[index]
}

async function readSegment({ segments }: CheckRecord, at: number, { checks }: Pick<MonitorKit, 'checks'>) {
  const key = segments[at]?.key
  return key === undefined ? [] : checks.pages(key)
}

function placeOf(id: string | undefined): { segment: number; index: number } {
  const [segment = 0, index = -1] = id?.split('-').map(Number) ?? []
  return { segment, index }
}
