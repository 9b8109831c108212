import { type Account, type Charge, EngineError, type Grant, type Hold, type UsedByKey } from '@harvestman/ports'

/** The credits of a team as one stored value, so that each change is atomic. */
export interface AccountRow {
  /** Total credits granted; absent when the team has no limit. */
  readonly granted?: number
  /** Granted credits that were used. */
  readonly spent: number
  /** All credits used, including those used without a limit. */
  readonly used: number
  readonly tasks: Readonly<Record<string, TaskRow>>
  readonly days: Readonly<Record<string, UsedByKey>>
  readonly months: Readonly<Record<string, UsedByKey>>
  /** Ids of the latest grants. */
  readonly grants: readonly string[]
}

interface TaskRow {
  readonly held: number
  /** Time at which the reservation is released. */
  readonly until: number
  /** Credits charged for the task. */
  readonly taken: number
  /** Time at which the task is forgotten; when absent, it is forgotten at `until`. */
  readonly known?: number
  readonly by?: string
  /** The task began while the team had no limit: its cost is counted but not charged. */
  readonly isFree?: true
}

export const emptyAccount: AccountRow = { spent: 0, used: 0, tasks: {}, days: {}, months: {}, grants: [] }

const retention = { days: 62, months: 24, grants: 100 }

/** Returns the credits available now, without the reserved ones; `undefined` without a limit. May be negative. */
export function creditsLeft({ granted, spent, tasks }: AccountRow): number | undefined {
  return granted === undefined ? undefined : granted - spent - heldIn(tasks)
}

/** Returns the public state of a team's account. `granted` and `credits` are absent without a credit limit. */
export function accountOf(row: AccountRow): Account {
  const { granted, used, tasks, days, months } = row
  const credits = creditsLeft(row)
  const bound = granted === undefined || credits === undefined ? {} : { granted, credits }
  return { ...bound, held: heldIn(tasks), used, days, months }
}

/**
 * Returns the account without reservations that have expired or belong to a dead engine, and without their tasks. A task with
 * `known` stays until then, without its reservation, and does not end with its engine. Returns the same object if nothing
 * changes. Times are in milliseconds.
 */
export function dropExpired(row: AccountRow, now: number, isGone: (by: string) => boolean = () => false): AccountRow {
  const entries = Object.entries(row.tasks)
  const swept = entries.flatMap(([key, task]): [string, TaskRow][] => {
    const isOver = task.until <= now || (task.known === undefined && task.by !== undefined && isGone(task.by))
    if (!isOver) return [[key, task]]
    if (task.known === undefined || task.known <= now) return []
    return [[key, task.held === 0 ? task : { ...task, held: 0 }]]
  })
  const isSame = swept.length === entries.length && swept.every(([, task], index) => task === entries[index]?.[1])
  return isSame ? row : { ...row, tasks: Object.fromEntries(swept) }
}

/**
 * Returns the row with a reservation of credits for a task; a second reservation of the same task replaces the first. Throws
 * `insufficient_credits` if the team has too few left. Without a limit, nothing is reserved: the row is unchanged, or with
 * `bits` has the task as free.
 */
export function holdCredits(row: AccountRow, { team, task: key, credits, until, by, bits }: Hold): AccountRow {
  const left = creditsLeft(row)
  const known = row.tasks[key]
  if (left === undefined && !bits) return row
  if (left !== undefined && credits - (known?.held ?? 0) > left) throw tooFew(team, credits, left + (known?.held ?? 0))
  const isFree = known ? known.isFree : left === undefined || undefined
  const task: TaskRow = {
    held: isFree ? 0 : credits,
    until,
    taken: known?.taken ?? bits?.from ?? 0,
    ...(bits && { known: bits.until }),
    ...(by !== undefined && { by }),
    ...(isFree && { isFree }),
  }
  return { ...row, tasks: { ...row.tasks, [key]: task } }
}

/**
 * Returns the account after charging a task what it has used in total, minus what it was charged before. Ends its reservation
 * unless `hold` keeps a part. Usage beyond the team's credits is counted but not charged. An unknown task is counted only with
 * `isUnheld`, and never charged; otherwise the row is returned unchanged. `now` is in milliseconds since 1970.
 */
export function settleTask(row: AccountRow, charge: Charge, now: number): AccountRow {
  const { task: key, credits, hold: rest, isUnheld, key: apiKey = '' } = charge
  const known = row.tasks[key]
  if (!known) return isUnheld ? count(row, credits, apiKey, now) : row
  const more = Math.max(credits - known.taken, 0)
  const { [key]: _, ...others } = row.tasks
  const held = known.isFree ? 0 : rest === 'rest' ? Math.max(known.held - more, 0) : (rest ?? 0)
  const task: TaskRow = { ...known, held, taken: known.taken + more }
  const tasks = rest === undefined ? others : { ...others, [key]: task }
  // The balance must not become negative, which could happen if the reservation was released while the engine was offline.
  const there = creditsLeft({ ...row, tasks }) ?? 0
  const changed = { ...row, tasks, spent: row.spent + (known.isFree ? 0 : Math.min(more, Math.max(there, 0))) }
  return more === 0 ? changed : count(changed, more, apiKey, now)
}

/**
 * Returns the account after settling several charges at once: the costs of unknown tasks with `isUnheld` are added up per API
 * key. `now` is in milliseconds since 1970.
 */
export function settleAll(row: AccountRow, charges: readonly Charge[], now: number): AccountRow {
  const [only, ...others] = charges
  if (only && others.length === 0) return settleTask(row, only, now)
  const unheld = new Map<string, number>()
  let settled = row
  for (const charge of charges) {
    const { task, credits, isUnheld, key = '' } = charge
    if (isUnheld && !row.tasks[task]) unheld.set(key, (unheld.get(key) ?? 0) + credits)
    else settled = settleTask(settled, charge, now)
  }
  for (const [key, credits] of unheld) settled = count(settled, credits, key, now)
  return settled
}

/** Returns the account with more credits; it gets a limit if it had none. A grant whose id is among the last 100 is ignored. */
export function grantCredits(row: AccountRow, { credits, id }: Grant): AccountRow {
  if (row.grants.includes(id)) return row
  return { ...row, granted: (row.granted ?? 0) + credits, grants: [...row.grants, id].slice(-retention.grants) }
}

/** Returns the account without its credit limit and the credits spent under it; its usage counts and open tasks remain. */
export function removeCreditLimit(row: AccountRow): AccountRow {
  const { used, tasks, days, months, grants } = row
  return { spent: 0, used, tasks, days, months, grants }
}

function count(row: AccountRow, credits: number, key: string, now: number): AccountRow {
  const day = dayOf(now)
  return {
    ...row,
    used: row.used + credits,
    days: bump(row.days, day, key, credits, retention.days),
    months: bump(row.months, day.slice(0, 7), key, credits, retention.months),
  }
}

const dayLength = 86_400_000
let last = { number: -1, day: '' }

/** Returns the day in UTC, such as `2026-01-31`. The last one is cached, as nearly all calls need the same. */
function dayOf(now: number): string {
  const number = Math.floor(now / dayLength)
  if (number !== last.number) last = { number, day: new Date(number * dayLength).toISOString().slice(0, 10) }
  return last.day
}

function bump(
  periods: AccountRow['days'],
  period: string,
  key: string,
  credits: number,
  most: number,
): AccountRow['days'] {
  const of = periods[period]
  const added = { ...periods, [period]: { ...of, [key]: (of?.[key] ?? 0) + credits } }
  if (of) return added
  return Object.fromEntries(Object.entries(added).toSorted(byName).slice(-most))
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

function heldIn(tasks: AccountRow['tasks']): number {
  return Object.values(tasks).reduce((sum, { held }) => sum + held, 0)
}

function tooFew(team: string, needed: number, credits: number): EngineError {
  return new EngineError(
    'insufficient_credits',
    `This needs ${needed} credits, but the team has ${Math.max(credits, 0)}. Request less, or add credits to the team.`,
    { details: { team, needed, credits: Math.max(credits, 0) } },
  )
}
