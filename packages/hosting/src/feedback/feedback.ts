// Feedback on results: checked against the activity of the team, and stored for the operator.
import { randomUUID } from 'node:crypto'
import { addToList, getMany } from '@harvestman/core/plugin'
import { type Clock, EngineError, type ErrorCode, type Json, type Store } from '@harvestman/ports'

import type { ListedEntry } from '../activity/activity.ts'
import { hostingKeys } from '../keys.ts'
import type { Feedback, StoredFeedback } from './schemas.ts'

const day = 86_400_000
const daysKept = 30
/** Milliseconds after a request in which its feedback is accepted. */
const window = 120_000

/** Finds a request of the last 24 hours. */
export type FindRequest = (team: string, id: string) => Promise<ListedEntry | undefined>

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

/** Opens the feedback. `submit` rejects with `not_found` or `conflict`, whose details have the code of the public API. */
export function openFeedback({ store, clock, find }: FeedbackOptions): FeedbackBox {
  const listKey = (team: string, at: number): string => hostingKeys.feedback(`${team}/${Math.floor(at / day)}`)
  return {
    submit: async (team, feedback) => {
      checkSignals(feedback)
      const { endpoint, jobId } = feedback
      const now = clock.now()
      checkRequest(await find(team, jobId), endpoint, now)
      const id = randomUUID()
      const key = hostingKeys.feedbackOf(`${team}/${jobId}`)
      // Cast: only ids are stored under this key.
      const kept = (await store.update(key, (old) => old ?? id, { ttl: day })) as string
      if (kept !== id) return { id: kept, isRepeated: true }
      const stored = { ...feedback, id, createdAt: new Date(now).toISOString() }
      await addToList(store, listKey(team, now), [JSON.parse(JSON.stringify(stored)) as Json], { ttl: daysKept * day })
      return { id, isRepeated: false }
    },
    list: async (team, limit) => {
      const now = clock.now()
      const keys = Array.from({ length: daysKept }, (_, back) => listKey(team, now - back * day))
      // Cast: only `submit` adds to these lists.
      const lists = (await getMany(store, keys)) as readonly (readonly StoredFeedback[] | undefined)[]
      return lists.flatMap((list) => (list ?? []).toReversed()).slice(0, limit)
    },
  }
}

/** Files are in the activity as scrapes. */
const nameInActivity = { parse: 'scrape', scrape: 'scrape', map: 'map', search: 'search' } as const

function checkRequest(found: ListedEntry | undefined, endpoint: Feedback['endpoint'], now: number): void {
  if (!found || found.endpoint !== nameInActivity[endpoint] || found.refused !== undefined) {
    const code = endpoint === 'search' ? 'SEARCH_NOT_FOUND' : 'JOB_NOT_FOUND'
    throw refused('not_found', code, `There is no ${endpoint} with this id in the last 24 hours.`)
  }
  if (now - Date.parse(found.createdAt) > window)
    throw refused(
      'conflict',
      'FEEDBACK_WINDOW_EXPIRED',
      `Feedback is accepted for ${window / 1_000} s after a request.`,
    )
  if (endpoint === 'search' && found.end?.failed !== undefined)
    throw refused('conflict', 'SEARCH_FAILED', 'The search failed, so it has no result to rate.')
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
