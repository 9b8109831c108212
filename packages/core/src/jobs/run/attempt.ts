import { EngineError, errorCodes, publicMessage } from '@harvestman/ports'
import { jsonPieces } from '@harvestman/ports/values'
import type { HostAnswer } from '@harvestman/schedule'
import type { NotLoaded, Load } from './load-page.ts'
import type { LoadedElsewhere } from './remote-page.ts'
import type { PageHold, OutOfCredits } from './budget.ts'
import type { Strategy, PageOutcome, PageToScrape, JobTask, Attempt, WorkToDo } from './strategy.ts'
import { noteEntries, type Entry } from '../log/facts.ts'
import { hostAnswer } from './host-answer.ts'
import { decodeReadings } from '../../scrape/readings.ts'
import { typedError } from '../../lib/typed-error.ts'

/**
 * Result of one attempt at a task: log entries to store, or why there are none, and the host's response. `since` is the store's
 * generation when the page load began.
 */
export type TriedPage = { readonly answer: HostAnswer } & (
  | {
      readonly entries: readonly Entry[]
      /** Groups of entries to store first, each in a write of its own. */
      readonly earlier?: readonly (readonly Entry[])[] | undefined
      readonly since?: number | undefined
    }
  | { readonly again: EngineError }
  /** Not started: the budget has too few credits right now. */
  | { readonly unpaid: 'wait' | OutOfCredits }
  /** Not started: the engine that was to load the page returned it. */
  | NotLoaded
)

export interface PageTools {
  readonly strategy: Strategy
  readonly pay: (page: PageToScrape | WorkToDo) => Promise<PageHold | 'wait' | OutOfCredits>
  readonly scrape: Load
  readonly now: () => number
  /** Returns the store's generation, if the store reports one. */
  readonly generation: () => number | undefined
}

/** Maximum length of the title in lists, in characters. The document has the full title. */
const maxTitleLength = 200

/** The host is overloaded or rate limits; a retry may succeed. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503])

/**
 * Runs one attempt at a task. Never rejects because of the page: a failed page becomes a `failed` entry and the job continues.
 * A retryable error is returned as `again` instead, unless this is the last attempt.
 */
export async function tryPage(
  task: JobTask,
  visit: Attempt,
  { strategy, pay, scrape, now, generation }: PageTools,
): Promise<TriedPage> {
  let answer: HostAnswer | undefined
  try {
    const page = strategy.prepare(task)
    if ('outcome' in page) return { entries: await entriesOf(task, visit, page.outcome, now()), answer: {} }
    const hold = await pay(page)
    if (hold === 'wait' || 'spent' in hold) return { unpaid: hold, answer: {} }
    if ('work' in page) {
      // This work contacts several hosts or none, so its outcome reveals nothing about the task's host.
      answer = {}
      return { entries: await entriesOf(task, visit, await page.work(visit, hold), now()), answer }
    }
    const since = generation()
    const scraped = await scrape({ task, page, visit, hold })
    if ('back' in scraped) return { ...scraped, answer: {} }
    // Before the status is checked, so that the bytes of a page that is loaded again are freed too.
    const values = decodeReadings(scraped.values, page.readings)
    answer = hostAnswer(page.request.url, scraped.visit, now())
    const { status = 0 } = answer
    if (busyStatuses.has(status) && !visit.isLast) throw busy(status)
    const outcome = await strategy.receive(task, { ...scraped, values }, hold)
    const location = 'kept' in scraped ? scraped.kept : undefined
    const entries = await entriesOf(task, visit, { ...outcome, kept: location }, now())
    return { entries, earlier: outcome.earlierNotes?.map((notes) => noteEntries(notes, now())), answer, since }
  } catch (error) {
    if (visit.signal.aborted) return { entries: [], answer: answer ?? {} }
    const failure = typedError(error)
    // A wait of the page has failed. This reveals nothing about the host, and another attempt would fail too.
    const isFinal = failure.details['final'] === true
    answer ??= isFinal ? {} : { failed: isAboutTheHost(failure) }
    if (!isFinal && errorCodes[failure.code].retryable && !visit.isLast) return { again: failure, answer }
    const { code } = failure
    const message = publicMessage(failure)
    const { number, url } = task
    return { entries: [{ fact: { is: 'failed', at: now(), task: number, id: visit.id, url, code, message } }], answer }
  }
}

async function entriesOf(
  { number: task, url }: JobTask,
  { id }: Attempt,
  { document, notes = [], kept }: PageOutcome & { readonly kept?: LoadedElsewhere['kept'] | undefined },
  at: number,
): Promise<Entry[]> {
  const noted = noteEntries(notes, at)
  if (!document) return [{ fact: { is: 'dropped', at, task } }, ...noted]
  const { creditsUsed: credits, statusCode: status, title } = document.metadata
  const shown = {
    ...(status !== undefined && { status }),
    ...(typeof title === 'string' && { title: title.slice(0, maxTitleLength) }),
  }
  const fact = { is: 'page', at, task, id, url, credits, ...shown } as const
  if (kept) {
    const { bytes, ...place } = kept
    return [{ fact: { ...fact, bytes, kept: place } }, ...noted]
  }
  const pieces = await jsonPieces(document)
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return [{ fact: { ...fact, bytes }, document: pieces }, ...noted]
}

function busy(status: number): EngineError {
  return new EngineError('bad_response', `The host responded with status ${status}: it is overloaded. Try again later.`)
}

const hostFailures: ReadonlySet<string> = new Set(['connection_failed', 'timeout', 'bad_response', 'dns_failed'])

/** Returns false for errors that reveal nothing about the host, such as a timeout because this process was overloaded. */
function isAboutTheHost({ code, details }: Pick<EngineError, 'code' | 'details'>): boolean {
  return hostFailures.has(code) && details?.['machine'] !== 'busy'
}
