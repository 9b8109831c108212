// Feedback on results: checked against the activity of the team, and stored for the operator.
import { randomUUID } from 'node:crypto'
import { type Clock, EngineError, type ErrorCode, type Json, type Store } from '@harvestman/ports'

import type { ListedEntry } from '../activity/activity.ts'
import { hostingKeys } from '../keys.ts'
import type { Feedback, StoredFeedback } from './schemas.ts'

const day = 86_400_000
const daysKept = 30
/** Milliseconds after the end of a request in which its feedback is accepted. */
const window = 120_000
/** The longest time limit of a request that can get feedback, in milliseconds: that of a map. */
const longestRequest = 3_600_000
/** Maximum size of an entry as JSON. A list of a day is written as a whole, so its size is bounded. */
const maxBytes = 16_384
/** Maximum number of entries of a team on a day. */
const maxPerDay = 200

/** Finds a request that began at `since` or later. May also find one that is older. */
export type FindRequest = (team: string, id: string, since: number) => Promise<ListedEntry | undefined>

export interface FeedbackOptions {
  readonly store: Store
  readonly clock: Clock
  readonly find: FindRequest
}

/** The feedback of the teams of an engine. */
export interface FeedbackBox {
  /** Stores feedback. A result has one; further feedback on it is not stored. */
  submit(team: string, feedback: Feedback): Promise<{ readonly id: string; readonly isRepeated: boolean }>
  /** Returns the newest feedback of a team. */
  list(team: string, limit: number): Promise<readonly StoredFeedback[]>
}

/**
 * Opens the feedback, which is stored for 30 days. `submit` rejects with `invalid_request` for feedback that is empty or too
 * long, `not_found` without such a request in the last hour, and `conflict` more than 2 minutes after its end or above 200
 * entries per team and day. `details.feedbackErrorCode` is the code of the public API.
 */
export function openFeedback({ store, clock, find }: FeedbackOptions): FeedbackBox {
  const listKey = (team: string, at: number): string => hostingKeys.feedback(`${team}/${Math.floor(at / day)}`)
  // Cast: only `submit` writes these lists.
  const listOf = (value: unknown): readonly StoredFeedback[] => (value ?? []) as readonly StoredFeedback[]
  return {
    submit: async (team, feedback) => {
      checkSignals(feedback)
      checkSize(feedback)
      const { endpoint, jobId } = feedback
      const now = clock.now()
      const { createdAt } = checkRequest(await find(team, jobId, now - longestRequest - window), endpoint, now)
      const id = randomUUID()
      const stored = JSON.parse(JSON.stringify({ ...feedback, id, createdAt: new Date(now).toISOString() })) as Json
      const isOfResult = (entry: StoredFeedback): boolean => entry.jobId === jobId
      // Under the day of the request, not of the feedback: all feedback on a result must meet in one list.
      const list = await store.update(
        listKey(team, Date.parse(createdAt)),
        (old) => {
          const entries = listOf(old)
          return entries.length >= maxPerDay || entries.some(isOfResult)
            ? old
            : [...(entries as readonly Json[]), stored]
        },
        { ttl: daysKept * day },
      )
      const kept = listOf(list).find(isOfResult)
      if (kept) return { id: kept.id, isRepeated: kept.id !== id }
      throw refused('conflict', 'FEEDBACK_LIMIT_REACHED', `A team can give feedback on ${maxPerDay} results a day.`)
    },
    list: async (team, limit) => {
      const now = clock.now()
      const found: StoredFeedback[] = []
      for (let back = 0; back < daysKept && found.length < limit; back += 1) {
        found.push(...listOf(await store.get(listKey(team, now - back * day))).toReversed())
      }
      return found.slice(0, limit)
    },
  }
}

/** Files are in the activity as scrapes. */
const nameInActivity = { parse: 'scrape', scrape: 'scrape', map: 'map', search: 'search' } as const

function checkRequest(found: ListedEntry | undefined, endpoint: Feedback['endpoint'], now: number): ListedEntry {
  if (!found || found.endpoint !== nameInActivity[endpoint] || found.refused !== undefined) {
    const code = endpoint === 'search' ? 'SEARCH_NOT_FOUND' : 'JOB_NOT_FOUND'
    throw refused('not_found', code, `There is no ${endpoint} with this id in the last hour.`)
  }
  if (now - Date.parse(found.createdAt) - (found.end?.ms ?? 0) > window)
    throw refused(
      'conflict',
      'FEEDBACK_WINDOW_EXPIRED',
      `Feedback is accepted for ${window / 1_000} s after a request.`,
    )
  if (endpoint === 'search' && found.end?.failed !== undefined)
    throw refused('conflict', 'SEARCH_FAILED', 'The search failed, so it has no result to rate.')
  return found
}

function checkSize(feedback: Feedback): void {
  if (Buffer.byteLength(JSON.stringify(feedback)) <= maxBytes) return
  throw refused('invalid_request', 'INVALID_BODY', `Say less: feedback has at most ${maxBytes} bytes as JSON.`)
}

const signals = [
  'issues',
  'tags',
  'note',
  'valuableSources',
  'missingContent',
  'querySuggestions',
  'pageNumbers',
] as const

/** Throws `invalid_request` for feedback without anything besides its rating. */
function checkSignals(feedback: Feedback): void {
  const has = (name: (typeof signals)[number]): boolean => (feedback[name]?.length ?? 0) > 0
  const { endpoint, rating } = feedback
  const needed = endpoint === 'search' ? neededOfSearch[rating] : signals
  if (needed.some(has)) return
  throw refused('invalid_request', 'INVALID_BODY', `Say more: set ${needed.join(' or ')}.`)
}

const sources = ['valuableSources'] as const
const missing = ['missingContent', 'querySuggestions'] as const
const neededOfSearch = { good: sources, partial: [...sources, ...missing], bad: missing } as const

function refused(code: ErrorCode, feedbackErrorCode: string, message: string): EngineError {
  return new EngineError(code, message, { details: { feedbackErrorCode } })
}
