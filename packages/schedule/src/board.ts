import { fifo, type Fifo } from '@harvestman/toolbox/fifo'
import { heap, type Heap } from '@harvestman/toolbox/heap'
import { makePace, mayStart, type Manners, type Pace } from './politeness.ts'
import type { JobTerms, HostTurn } from './terms.ts'

/** State of the scheduler. A job, host or lane that cannot start is woken by the event that it waits for. */
export interface Board {
  readonly now: () => number
  readonly manners: Manners
  readonly jobs: Map<string, ScheduledJob>
  readonly teams: Map<string, TeamTurns>
  readonly hosts: Map<string, Host>
  readonly turns: Map<HostTurn, Lane>
  /** Turns that other engines run. */
  readonly elsewhere: Set<HostTurn>
  /** Slots used for work of other engines. */
  borrowed: number
  /** Number of jobs whose visits other engines may make. */
  helpedJobs: number
  /** Teams with visits that may start, by pass. */
  readonly listed: Heap<TeamTurns>
  readonly sleepers: Heap<Sleeper>
  /** The pass of the team that started a visit last. */
  lastPass: number
  sweepAt: number
}

export interface Host {
  readonly name: string
  readonly pace: Pace
  /** The lanes of jobs with visits to this host. */
  readonly lanes: Set<Lane>
  isAsleep: boolean
}

/** The visits of one job to one host. */
export interface Lane {
  readonly job: ScheduledJob
  readonly host: Host
  waiting: number
  running: number
  nextStart: number
  isReady: boolean
  isAsleep: boolean
}

export interface ScheduledJob {
  readonly terms: JobTerms
  readonly team: TeamTurns
  readonly lanes: Map<string, Lane>
  /** Lanes that may be able to start; this is checked again when their turn comes. */
  readonly ready: Fifo<Lane>
  running: number
  /** Number of visits that are queued. */
  waiting: number
  /** Increases by 1 with each start; within a team, the job with the lowest pass is next. */
  pass: number
  isListed: boolean
  hasLeft: boolean
  /** Since when it has been waiting for another visit of its team to end. */
  heldSince: number | undefined
}

export interface TeamTurns {
  readonly name: string
  readonly limit: number
  /** Jobs that wait for another visit of the team to end. */
  readonly held: Set<ScheduledJob>
  /** Its jobs with visits that may start, by pass. */
  readonly listed: Heap<ScheduledJob>
  running: number
  /** Increases by 1 with each start; the team with the lowest pass is next. */
  pass: number
  isListed: boolean
  /** The pass of its job that started a visit last. */
  lastPass: number
}

/** A host or a lane that sleeps until a time: one entry each, however many visits are queued. */
interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/** Above this number of hosts, hosts without jobs are dropped. */
const fewHosts = 4096

/** Creates the state of a scheduler, without jobs and hosts. Times are in milliseconds. */
export function makeBoard(now: () => number, manners: Manners): Board {
  return {
    now,
    manners,
    jobs: new Map(),
    teams: new Map(),
    hosts: new Map(),
    turns: new Map(),
    elsewhere: new Set(),
    ...{ borrowed: 0, helpedJobs: 0 },
    listed: heap((one, other) => one.pass < other.pass),
    sleepers: heap((one, other) => one.due < other.due),
    lastPass: 0,
    sweepAt: fewHosts,
  }
}

/**
 * Returns the host with this name, and adds it if it is new. From 4,096 hosts on, unused ones are removed from time to time.
 */
export function hostOf(board: Board, name: string): Host {
  const known = board.hosts.get(name)
  if (known) return known
  if (board.hosts.size >= board.sweepAt) sweepHosts(board)
  const host: Host = { name, pace: makePace(board.manners), lanes: new Set(), isAsleep: false }
  board.hosts.set(name, host)
  return host
}

/** Removes idle hosts, except those with limits of their own. */
function sweepHosts(board: Board): void {
  const time = board.now()
  for (const [name, { pace, lanes }] of board.hosts) {
    const isPlain = pace.pause === board.manners.pause && pace.bad === 0
    if (isPlain && lanes.size === 0 && pace.running === 0 && pace.nextStart <= time) board.hosts.delete(name)
  }
  board.sweepAt = Math.max(board.hosts.size * 2, fewHosts)
}

/**
 * Returns the queue of a job for the host with this name. Adds the lane to the job, and the host to the board, if they are new.
 */
export function laneOf(board: Board, job: ScheduledJob, name: string): Lane {
  const known = job.lanes.get(name)
  if (known) return known
  const host = hostOf(board, name)
  const lane = { job, host, waiting: 0, running: 0, nextStart: 0, isReady: false, isAsleep: false }
  job.lanes.set(name, lane)
  return lane
}

/** Returns the number of running visits of the team at which this job starts no more; infinite without a limit. */
export function maxVisitsOfTeam({ team, terms }: ScheduledJob): number {
  return Math.min(team.limit, terms.teamConcurrency ?? Number.POSITIVE_INFINITY)
}

/** Creates a job in its initial state. It is not queued yet. */
export function makeScheduledJob(board: Board, terms: JobTerms, team: TeamTurns): ScheduledJob {
  const job = { terms, team, lanes: new Map(), ready: fifo<Lane>(), running: 0, waiting: 0, pass: team.lastPass }
  return { ...job, isListed: false, hasLeft: false, heldSince: undefined }
}

/**
 * Queues a job for its next visit. After an idle period its pass, which counts its starts, is raised, so that it does not catch
 * up. Does nothing if it is queued or has nothing to start.
 */
export function enqueueJob(board: Board, job: ScheduledJob): void {
  if (job.isListed || job.ready.size === 0) return
  job.isListed = true
  job.pass = Math.max(job.pass, job.team.lastPass)
  job.team.listed.push(job)
  enqueueTeam(board, job.team)
}

/** Queues a team for the next visit of its jobs. Does nothing if it is queued or has no jobs to run. */
export function enqueueTeam(board: Board, team: TeamTurns): void {
  if (team.isListed || team.listed.size === 0) return
  team.isListed = true
  team.pass = Math.max(team.pass, board.lastPass)
  board.listed.push(team)
}

/** Creates a team in its initial state. `limit` is its maximum number of concurrent visits. */
export function makeTeam(name: string, limit: number): TeamTurns {
  const listed = heap<ScheduledJob>((one, other) => one.pass < other.pass)
  return { name, limit, held: new Set(), listed, running: 0, pass: 0, isListed: false, lastPass: 0 }
}

/** Makes a lane, the visits of one job to one host, available for the next visit. Does nothing if nothing waits in it. */
export function makeReady(board: Board, lane: Lane): void {
  if (lane.isReady || lane.waiting === 0) return
  lane.isReady = true
  lane.job.ready.push(lane)
  enqueueJob(board, lane.job)
}

/**
 * Makes the visits to a host ready, or puts the host to sleep until it may be visited. Does nothing for a host without
 * visits.
 */
export function wakeHost(board: Board, host: Host): void {
  if (host.lanes.size === 0) return
  if (host.pace.nextStart > board.now()) return sleepHost(board, host)
  for (const lane of host.lanes) makeReady(board, lane)
}

function sleepHost(board: Board, host: Host): void {
  if (host.isAsleep) return
  host.isAsleep = true
  const wake = (): void => {
    host.isAsleep = false
    wakeHost(board, host)
  }
  board.sleepers.push({ due: host.pace.nextStart, wake })
}

function sleepLane(board: Board, lane: Lane): void {
  if (lane.isAsleep) return
  lane.isAsleep = true
  const wake = (): void => {
    lane.isAsleep = false
    makeReady(board, lane)
    dropIdle(board, lane)
  }
  board.sleepers.push({ due: lane.nextStart, wake })
}

/** Removes a lane from its job once its pause has ended. Does nothing if it has waiting or running visits. */
export function dropIdle(board: Board, lane: Lane): void {
  if (lane.waiting > 0 || lane.running > 0) return
  if (lane.nextStart > board.now()) sleepLane(board, lane)
  else lane.job.lanes.delete(lane.host.name)
}

/**
 * Returns whether a visit of a lane may start at `time`, in milliseconds of the board's clock. If not, the lane is woken later:
 * at a scheduled time, or at the end of a visit.
 */
export function mayStartLane(board: Board, lane: Lane, time: number): boolean {
  const { job, host } = lane
  if (lane.waiting === 0) return false
  if (lane.nextStart > time) sleepLane(board, lane)
  else if (job.terms.delay !== undefined && lane.running > 0) return false
  else if (mayStart(host.pace, time)) return true
  else if (host.pace.nextStart > time) sleepHost(board, host)
  return false
}

/** Wakes hosts and lanes whose pause has ended at `time`, in milliseconds of the board's clock. */
export function wakeSleepers(board: Board, time: number): void {
  const { sleepers } = board
  for (let sleeper = sleepers.peek(); sleeper && sleeper.due <= time; sleeper = sleepers.peek()) {
    sleepers.pop()
    sleeper.wake()
  }
}
