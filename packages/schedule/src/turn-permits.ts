// Permits of hosts and teams for the scheduler, shared by all engines on one store.
import type { Permits, PermitUser, Usage } from '@harvestman/coordination'
import {
  enqueueJob,
  makeReady,
  maxVisitsOfTeam,
  type Board,
  type Host,
  type ScheduledJob,
  type TeamTurns,
} from './board.ts'

export interface TurnPermits {
  /** Returns whether a visit to the host may start here. If not, its lanes become ready when it may. */
  mayVisit(host: Host): boolean
  /** Returns whether a visit of the team may start here. If not, its held jobs are queued when it may. */
  mayWork(team: TeamTurns, limit: number): boolean
  /** Returns whether a visit of the team to the host could start here. Changes nothing. */
  couldVisit(host: Host, team: TeamTurns, limit: number): boolean
  /** Reports that a visit of the team to the host has ended. */
  ended(host: Host, team: TeamTurns): void
}

/** Options of `turnPermits`. */
export interface TurnPermitsOptions {
  readonly permits: Pick<Permits, 'mayBegin' | 'isFree' | 'ask' | 'ended'>
  /** Maximum number of concurrent visits of this engine, including visits that other engines make for it. */
  readonly places: () => number
  /** Called when a visit may start that could not before. */
  readonly woken: () => void
}

const noLimit = Number.POSITIVE_INFINITY

/**
 * Creates the check of whether a visit may start, by the limits of its host and its team. `permits` counts the visits of all
 * engines on the store. After a refusal, `woken` is called when a visit may start.
 */
export function turnPermits(board: Board, { permits, places, woken }: TurnPermitsOptions): TurnPermits {
  const hosts: PermitUser = {
    isWatched: false,
    usage: (pool) => hostUsage(board, board.hosts.get(nameIn(pool)), places()),
    wake: (pool) => {
      const host = board.hosts.get(nameIn(pool))
      if (!host || host.lanes.size === 0) return
      for (const lane of host.lanes) makeReady(board, lane)
      woken()
    },
  }
  const teams: PermitUser = {
    isWatched: true,
    usage: (pool) => teamUsage(board, board.teams.get(nameIn(pool)), places()),
    wake: (pool) => {
      const team = board.teams.get(nameIn(pool))
      if (!team) return
      enqueueWaitingJobs(board, team)
      woken()
    },
  }
  const may = (pool: string, limit: number, running: number, user: PermitUser): boolean => {
    if (permits.mayBegin(pool, limit, running, user)) return true
    permits.ask(pool, limit, user)
    return false
  }
  // A host with a pause gets one visit at a time, from all engines together.
  const limitOf = (host: Host): number => (isSlowed(board, host) ? 1 : board.manners.atOnce)
  return {
    mayVisit: (host) => may(hostPool(host), limitOf(host), host.pace.running, hosts),
    mayWork: (team, limit) => limit === noLimit || may(teamPool(team), limit, team.running, teams),
    couldVisit: (host, team, limit) =>
      permits.isFree(hostPool(host), limitOf(host), host.pace.running) &&
      (limit === noLimit || permits.isFree(teamPool(team), limit, team.running)),
    ended: (host, team) => {
      permits.ended(hostPool(host), host.pace.running)
      permits.ended(teamPool(team), team.running)
    },
  }
}

const nothing: Usage = { running: 0, wants: 0 }

function hostPool({ name }: Host): string {
  return `host ${name}`
}

function teamPool({ name }: TeamTurns): string {
  return `team ${name}`
}

function nameIn(pool: string): string {
  return pool.slice(pool.indexOf(' ') + 1)
}

/** Returns whether a host requests a longer pause between visits than the default one. */
export function isSlowed({ manners }: Board, { pace }: Host): boolean {
  return pace.pause > manners.pause
}

/** Returns how many more visits a job may start. */
function roomOf(job: ScheduledJob): number {
  const { terms, running, team } = job
  return Math.max(0, Math.min((terms.concurrency ?? noLimit) - running, maxVisitsOfTeam(job) - team.running))
}

function hostUsage(board: Board, host: Host | undefined, places: number): Usage {
  if (!host) return nothing
  const { running, atOnce, nextStart } = host.pace
  if (nextStart > board.now()) return { running, wants: running }
  let waiting = 0
  for (const { job, waiting: count, running } of host.lanes) {
    const own = job.terms.delay === undefined ? count : Math.max(0, 1 - running)
    waiting += Math.min(own, roomOf(job))
  }
  return { running, wants: Math.max(running, Math.min(running + waiting, atOnce, places)) }
}

function teamUsage(board: Board, team: TeamTurns | undefined, places: number): Usage {
  if (!team) return nothing
  const { running } = team
  let [waiting, most] = [0, 0]
  for (const job of board.jobs.values()) {
    if (job.team !== team) continue
    most = Math.max(most, maxVisitsOfTeam(job))
    // Visits that wait for a host rather than a slot are in no lane that is ready.
    if (job.ready.size > 0) waiting += Math.min(job.waiting, roomOf(job))
  }
  return { running, wants: Math.max(running, Math.min(running + waiting, most, places)) }
}

/** Queues the jobs of a team that wait for another visit of it to end. Does nothing without such jobs. */
export function enqueueWaitingJobs(board: Board, team: TeamTurns): void {
  const held = [...team.held]
  team.held.clear()
  for (const job of held) enqueueJob(board, job)
}
