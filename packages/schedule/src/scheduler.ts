import {
  dropIdle,
  hostOf,
  laneOf,
  enqueueJob,
  enqueueTeam,
  makeTeam,
  makeBoard,
  makeScheduledJob,
  makeReady,
  maxVisitsOfTeam,
  mayStartLane,
  wakeHost,
  wakeSleepers,
  type Board,
  type ScheduledJob,
  type Lane,
  type TeamTurns,
} from './board.ts'
import {
  countEnd,
  isDown,
  mayStart,
  obeyCrawlDelay,
  countStart,
  defaultManners,
  type Manners,
  type HostAnswer,
} from './politeness.ts'
import { isSlowed, enqueueWaitingJobs, turnPermits, type TurnPermits, type TurnPermitsOptions } from './turn-permits.ts'
import { unshared } from '@harvestman/coordination'
import type { JobTerms, HostTurn } from './terms.ts'

export type { JobTerms, HostTurn } from './terms.ts'

/** Options of a scheduler. */
export interface SchedulerOptions {
  readonly now: () => number
  /** Maximum number of concurrent visits of all jobs. A quarter more may start for teams that have few. */
  readonly slots: number
  readonly manners?: Manners | undefined
  /** Returns the maximum number of concurrent visits of a team. */
  readonly teamConcurrency?: ((team: string) => number) | undefined
  /** Called when a host has requested a pause of `rest` milliseconds. */
  readonly rested?: ((host: string, rest: number) => void) | undefined
  /** The permits of hosts and teams, which this engine shares with others. */
  readonly permits?: TurnPermitsOptions['permits'] | undefined
  /** Called when a visit may start that was waiting for a permit of another engine. */
  readonly woken?: (() => void) | undefined
  /** Other engines that make visits if no slot is free here. */
  readonly others?: Others | undefined
}

/** Other engines that make visits for this one. */
export interface Others {
  /** Number of slots that they provide. */
  readonly places: number
  /** Requests slots of other engines, because there are visits but no free slots. */
  requestSlots(): void
}

const noOthers: Others = { places: 0, requestSlots: () => undefined }

/** A visit to start, or the time for the next call. Infinity: only an `offer` or a `done` can change anything. */
export type Next =
  | { readonly turn: HostTurn; readonly waitUntil?: undefined }
  | { readonly turn?: undefined; readonly waitUntil: number }

/**
 * Decides which job may visit which host, and when. It holds no URLs, timers or promises: its driver calls `next` until that
 * returns a time, and again at that time or after the next `offer` or `done`.
 *
 * A slot is used only by a visit that may start, so a slow or pausing host does not block others. Teams take turns, however
 * many jobs each has, and so do the jobs of a team, however many visits each offers. The limits of a host apply to all jobs
 * together.
 */
export interface Scheduler {
  /** Number of its slots: all, used and free. */
  readonly places: number
  readonly taken: number
  readonly free: number
  /** Returns the number of running visits by team, including visits that other engines make for it. Idle teams are omitted. */
  runningByTeam(): ReadonlyMap<string, number>
  /** Returns whether a job without running visits could start one: no pause, limit or lack of slots prevents it. */
  couldStart(job: string): boolean
  join(terms: JobTerms): void
  /** Drops the queued visits of the job. Its running visits must still be ended with `done`. */
  leave(job: string): void
  /** Queues visits of the job to a host. Ignored if the job has left. */
  offer(job: string, host: string, count?: number): void
  next(): Next
  /** Runs a visit here after it was assigned to another engine. */
  bringHome(turn: HostTurn): void
  /** Takes a slot for work of another engine. Returns a function that releases it. */
  borrow(): () => void
  /** Ends a visit. A second call does nothing. */
  done(turn: HostTurn, visit: HostAnswer): void
  /** Applies the crawl delay from the robots.txt of the host, in milliseconds. */
  obeyCrawlDelay(host: string, delay: number): void
  /** Starts no visit to the host for this many milliseconds, because the host requested that from another engine. */
  rest(host: string, ms: number): void
}

const noLimit = Number.POSITIVE_INFINITY
// Maximum number of teams, jobs or lanes that are passed over in one search. While all slots are used, teams with several
// visits are passed over; a team with few is among the first.
const maxPassedOver = 64

/**
 * Creates a scheduler without jobs, for `slots` visits at a time, and a quarter more for teams that have few. Calls about an
 * unknown job or visit have no effect.
 */
export function makeScheduler(options: SchedulerOptions): Scheduler {
  const { now, slots, manners = defaultManners, teamConcurrency = () => noLimit, rested = () => undefined } = options
  const board = makeBoard(now, manners)
  const { permits = unshared, woken = () => undefined, others = noOthers } = options
  const shared = turnPermits(board, { permits, places: () => slots + others.places, woken })
  const taken = (): number => board.turns.size - board.elsewhere.size + board.borrowed

  return {
    places: slots,
    get taken() {
      return taken()
    },
    get free() {
      return Math.max(0, slots - taken())
    },
    runningByTeam: () => runningByTeam(board),
    couldStart(id) {
      const job = board.jobs.get(id)
      return job !== undefined && taken() < slots && couldStart(job, shared, now())
    },
    join(terms) {
      if (board.jobs.has(terms.id)) return
      board.jobs.set(terms.id, makeScheduledJob(board, terms, teamOf(board, terms.team, teamConcurrency)))
      if (terms.allowsHelpers) board.helpedJobs += 1
    },
    leave(id) {
      const job = board.jobs.get(id)
      if (job) leave(board, job)
    },
    offer(id, host, count = 1) {
      const job = board.jobs.get(id)
      if (job && count >= 1) offer(board, laneOf(board, job, host), count)
    },
    next: () => nextTurn({ board, shared, slots, others, taken }, now()),
    done(turn, visit) {
      const lane = board.turns.get(turn)
      if (!lane) return
      board.turns.delete(turn)
      board.elsewhere.delete(turn)
      const { pace } = lane.host
      const before = pace.nextStart
      end(board, lane, visit)
      shared.ended(lane.host, lane.job.team)
      if (pace.nextStart > before) rested(turn.host, pace.nextStart - now())
    },
    bringHome: (turn) => void board.elsewhere.delete(turn),
    borrow() {
      board.borrowed += 1
      return () => void (board.borrowed -= 1)
    },
    obeyCrawlDelay(name, delay) {
      obeyCrawlDelay(hostOf(board, name).pace, delay)
    },
    rest(name, ms) {
      const host = hostOf(board, name)
      host.pace.nextStart = Math.max(host.pace.nextStart, now() + Math.min(ms, manners.maxRest))
    },
  }
}

function runningByTeam({ teams }: Board): ReadonlyMap<string, number> {
  const running = [...teams].map(([name, team]) => [name, team.running] as const)
  return new Map(running.filter(([, count]) => count > 0))
}

interface Places {
  readonly board: Board
  readonly shared: TurnPermits
  readonly slots: number
  readonly others: Others
  readonly taken: () => number
}

function nextTurn({ board, shared, slots, others, taken }: Places, time: number): Next {
  wakeSleepers(board, time)
  const isFull = taken() >= slots
  const mayLend = isFull && board.helpedJobs > 0
  const hasOthers = mayLend && board.elsewhere.size < others.places
  const lent = hasOthers ? takeTurn(board, shared, time, { isElsewhere: true }) : undefined
  if (lent) return { turn: lent }
  if (mayLend && !hasOthers && board.listed.size > 0) others.requestSlots()
  const isOver = taken() >= slots + spareOf(slots)
  const few = isFull ? Math.ceil(spareOf(slots) / 2) : noLimit
  const turn = isOver ? undefined : takeTurn(board, shared, time, { few })
  if (turn) return { turn }
  return { waitUntil: isOver && !hasOthers ? noLimit : (board.sleepers.peek()?.due ?? noLimit) }
}

function offer(board: Board, lane: Lane, count: number): void {
  lane.waiting += count
  lane.job.waiting += count
  lane.host.lanes.add(lane)
  makeReady(board, lane)
}

function spareOf(slots: number): number {
  return Math.floor(slots / 4)
}

interface Wanted {
  /** Only teams with fewer running visits than this. */
  readonly few?: number
  /** Only visits that another engine can make. */
  readonly isElsewhere?: boolean
}

/**
 * Returns the next visit of the team with the lowest pass, among teams with fewer than `few` running visits. Teams that cannot
 * start anything are removed from the queue until they can.
 */
function takeTurn(
  board: Board,
  shared: TurnPermits,
  time: number,
  { few = noLimit, isElsewhere = false }: Wanted,
): HostTurn | undefined {
  const passedOver: TeamTurns[] = []
  let turn: HostTurn | undefined
  while (!turn && passedOver.length < maxPassedOver) {
    const team = board.listed.pop()
    if (!team) break
    team.isListed = false
    if (team.running < few) turn = takeTurnOf(board, team, { shared, time, isElsewhere })
    // A visit that must not be made by another engine waits here.
    if (team.running >= few || (isElsewhere && !turn)) passedOver.push(team)
    if (turn) enqueueTeam(board, team)
  }
  for (const team of passedOver) enqueueTeam(board, team)
  return turn
}

interface Taking {
  readonly shared: TurnPermits
  readonly time: number
  readonly isElsewhere: boolean
}

/** Returns the next visit of a team, of its job with the lowest pass. */
function takeTurnOf(board: Board, team: TeamTurns, taking: Taking): HostTurn | undefined {
  const { shared, time, isElsewhere } = taking
  const passedOver: ScheduledJob[] = []
  let turn: HostTurn | undefined
  while (!turn && passedOver.length < maxPassedOver) {
    const job = team.listed.pop()
    if (!job) break
    job.isListed = false
    const may = !isElsewhere || job.terms.allowsHelpers === true
    const lane = may && !job.hasLeft && !isAtLimit(job, shared, time) ? takeReady(board, job, taking) : undefined
    if (lane) turn = start(board, lane, time, isElsewhere)
    else if (!may || (isElsewhere && job.ready.size > 0 && !team.held.has(job))) passedOver.push(job)
  }
  for (const job of passedOver) {
    job.isListed = true
    team.listed.push(job)
  }
  return turn
}

function takeReady(board: Board, job: ScheduledJob, { shared, time, isElsewhere }: Taking): Lane | undefined {
  const passedOver: Lane[] = []
  let found: Lane | undefined
  while (!found && passedOver.length < maxPassedOver) {
    const lane = job.ready.shift()
    if (!lane) break
    lane.isReady = false
    // Handing a visit to another engine takes a moment, which would change the pauses between visits to the host.
    if (isElsewhere && isSlowed(board, lane.host)) passedOver.push(lane)
    else if (mayStartLane(board, lane, time) && shared.mayVisit(lane.host)) found = lane
  }
  for (const lane of passedOver) {
    lane.isReady = true
    job.ready.push(lane)
  }
  return found
}

function isAtLimit(job: ScheduledJob, shared: TurnPermits, time: number): boolean {
  if (job.running >= (job.terms.concurrency ?? noLimit)) return true
  const most = maxVisitsOfTeam(job)
  if (job.team.running < most && shared.mayWork(job.team, most)) return false
  job.team.held.add(job)
  job.heldSince ??= time
  return true
}

function couldStart(job: ScheduledJob, shared: TurnPermits, time: number): boolean {
  const most = maxVisitsOfTeam(job)
  if (job.running > 0 || job.team.running >= most) return false
  const isFree = ({ host, waiting, nextStart }: Lane): boolean =>
    waiting > 0 && nextStart <= time && mayStart(host.pace, time) && shared.couldVisit(host, job.team, most)
  return [...job.lanes.values()].some(isFree)
}

function start(board: Board, lane: Lane, time: number, isElsewhere: boolean): HostTurn {
  const { job, host } = lane
  const { pause } = host.pace
  const held = job.heldSince === undefined ? {} : { heldFor: Math.max(0, Math.round(time - job.heldSince)) }
  job.heldSince = undefined
  const common = { job: job.terms.id, host: host.name, isDown: isDown(host.pace, time), pause, ...held }
  const turn = isElsewhere ? { ...common, isElsewhere } : common
  board.turns.set(turn, lane)
  if (isElsewhere) board.elsewhere.add(turn)
  const { team } = job
  board.lastPass = team.pass
  team.lastPass = job.pass
  team.pass += 1
  job.pass += 1
  count(lane, 1)
  lane.waiting -= 1
  job.waiting -= 1
  countStart(host.pace, time)
  if (lane.waiting === 0) host.lanes.delete(lane)
  if (host.pace.nextStart > time) wakeHost(board, host)
  else makeReady(board, lane)
  enqueueJob(board, job)
  return turn
}

function end(board: Board, lane: Lane, visit: HostAnswer): void {
  const { job, host } = lane
  const time = board.now()
  count(lane, -1)
  if (job.terms.delay !== undefined) lane.nextStart = time + job.terms.delay
  countEnd(host.pace, time, visit)
  wakeHost(board, host)
  dropIdle(board, lane)
  enqueueJob(board, job)
  enqueueWaitingJobs(board, job.team)
  if (job.hasLeft) dropTeam(board, job.team)
}

function count(lane: Lane, change: 1 | -1): void {
  lane.running += change
  lane.job.running += change
  lane.job.team.running += change
}

function leave(board: Board, job: ScheduledJob): void {
  if (job.terms.allowsHelpers && board.jobs.has(job.terms.id)) board.helpedJobs -= 1
  board.jobs.delete(job.terms.id)
  job.hasLeft = true
  for (const lane of job.lanes.values()) {
    job.waiting -= lane.waiting
    lane.waiting = 0
    lane.host.lanes.delete(lane)
  }
  job.team.held.delete(job)
  dropTeam(board, job.team)
}

function teamOf(board: Board, name: string, limitOf: (team: string) => number): TeamTurns {
  const known = board.teams.get(name)
  if (known) return known
  const team = makeTeam(name, limitOf(name))
  board.teams.set(name, team)
  return team
}

function dropTeam(board: Board, team: TeamTurns): void {
  if (team.running > 0 || [...board.jobs.values()].some((job) => job.team === team)) return
  board.teams.delete(team.name)
}
