// The jobs of a team, newest first. The list contains only ids, which sort by creation time. The status is read from the job
// itself, so expired jobs do not appear.
import { type Clock, EngineError, type Store, type Value } from '@harvestman/ports'
import { isNewerRecord, layout, listAll } from '@harvestman/coordination'
import type { JobStatus } from './handle.ts'
import { readCheckpoints, statusOf } from './log/checkpoint.ts'
import type { JobStatusWord, Opening } from './log/facts.ts'
import type { JobView } from './log/view.ts'
import { listOpen } from './worker/open-jobs.ts'
import { storeKeys } from '../keys.ts'

/** A job in a list. */
export interface ListedJob extends Omit<JobStatus, 'request'> {
  /** Its URL, query or prompt. */
  readonly about?: string
}

/** Filters and paging of the list of jobs. */
export interface JobQuery {
  readonly kind?: string | undefined
  readonly status?: JobStatusWord | undefined
  /** 1 to 100; 50 when absent. */
  readonly limit?: number | undefined
  /** The `cursor` of the page before. */
  readonly cursor?: string | undefined
}

/** A page of the list of jobs. */
export interface JobListPage {
  /** Newest first. With a filter, a page may have fewer jobs than `limit` although more follow. */
  readonly jobs: readonly ListedJob[]
  /** Position of the next page. Absent at the end. */
  readonly cursor?: string
}

interface Noted {
  readonly id: string
  readonly kind: string
}

const limits = { most: 100, usual: 50 }
/** Maximum number of jobs read for one page of the list, however few match the filter. */
const maxJobsRead = 1_000
const readAhead = 200

const noteLayout = layout<Noted>(1, { id: 'text', kind: 'text' })
const prefixOf = (team: string): string => storeKeys.jobOfTeam(`${encodeURIComponent(team)}/`)

/** Adds a new job to the list of its team. Idempotent. Rejects if the store fails. */
export async function listJob(store: Store, { id, kind, team, createdAt, expiresAt }: Opening): Promise<void> {
  await store.set(prefixOf(team) + id, noteLayout.seal({ id, kind }), { ttl: expiresAt - createdAt })
}

export interface ListKit {
  readonly store: Store
  readonly clock: Clock
  /** Returns the view of a job that runs in this engine. */
  readonly here: (id: string) => JobView | undefined
  /** Returns whether the caller may see jobs of a kind. By default, all are shown. */
  readonly isShown?: ((kind: string) => boolean) | undefined
}

/**
 * Returns one page of the list of a team's jobs, newest first: 50 by default, at most 100. With a filter, a page may have fewer
 * jobs and still a cursor, because only 1,000 jobs are read for it. Rejects with `invalid_request` for an invalid cursor.
 */
export async function listJobs(team: string, query: JobQuery = {}, kit: ListKit): Promise<JobListPage> {
  const { kind, status, limit = limits.usual } = query
  const { isShown = () => true } = kit
  const before = query.cursor === undefined ? undefined : checkCursor(query.cursor)
  const most = Math.min(Math.max(Math.floor(limit), 1), limits.most)
  const portion = status === undefined ? most + 1 : limits.most
  const noted = status === 'scraping' ? openOnes(team, kit) : notedOnes(team, before, kit)
  const found: ListedJob[] = []
  let lookedAt = 0
  let last: string | undefined
  for await (const some of noted) {
    const wanted = some.filter(
      (one) => (kind ?? one.kind) === one.kind && isShown(one.kind) && (before === undefined || one.id < before),
    )
    for (let start = 0; start < wanted.length; start += portion) {
      const part = wanted.slice(start, start + portion)
      found.push(...(await statusesOf(part, team, kit)).filter((job) => (status ?? job.status) === job.status))
      lookedAt += part.length
      last = part.at(-1)?.id
      const end = found[most - 1]
      if (end && found.length > most) return { jobs: found.slice(0, most), cursor: end.id }
      if (last !== undefined && lookedAt >= maxJobsRead) return { jobs: found, cursor: last }
    }
  }
  return { jobs: found }
}

/** Reads the status of jobs, omitting expired ones. */
async function statusesOf(
  noted: readonly Noted[],
  team: string,
  { store, clock, here }: ListKit,
): Promise<ListedJob[]> {
  const checkpoints = await readCheckpoints(
    store,
    noted.map(({ id }) => id),
  )
  return noted.flatMap(({ id }, index) => {
    const found = here(id) ?? checkpoints[index]
    if (found?.opening.team !== team || found.opening.expiresAt <= clock.now()) return []
    const { request: _, ...listed } = statusOf(found)
    const { about } = found.opening
    return [{ ...listed, ...(about !== undefined && { about }) }]
  })
}

/** Yields the open jobs, of which there are few. */
async function* openOnes(team: string, { store }: ListKit): AsyncGenerator<readonly Noted[]> {
  const own = (await listOpen(store)).filter((job) => job.team === team)
  yield own.toSorted(newestFirst)
}

/** Yields the listed jobs, newest first. */
async function* notedOnes(
  team: string,
  before: string | undefined,
  { store }: ListKit,
): AsyncGenerator<readonly Noted[]> {
  const prefix = prefixOf(team)
  const after = before === undefined ? undefined : prefix + before
  for await (const entries of listAll(store, prefix, { limit: readAhead, after, isReverse: true })) {
    const ones = entries.flatMap(({ value }) => open(value))
    if (ones.length > 0) yield ones
  }
}

/** Skips records of a newer engine version. */
function open(value: Value): Noted[] {
  try {
    return [noteLayout.openWhole('A job of a list', value) ?? []].flat()
  } catch (error) {
    if (isNewerRecord(error)) return []
    throw error
  }
}

// Job ids sort by creation time.

function newestFirst(one: Noted, other: Noted): number {
  if (one.id === other.id) return 0
  return one.id > other.id ? -1 : 1
}

function checkCursor(cursor: string): string {
  if (/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/.test(cursor)) return cursor
  throw new EngineError('invalid_request', 'cursor is not a cursor of this list. Omit it to start with the newest.')
}
