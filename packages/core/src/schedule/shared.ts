import type { Shares, ShareUser } from '../shares/shares.ts'
import { list, makeReady, mostOfTeam, type Board, type Host, type ScheduledJob, type TeamTurns } from './board.ts'

/** The places of hosts and teams that engines on one store have together. */
export interface SharedTurns {
  /** Whether a visit to the host may begin here. When not, its lanes are readied when it may. */
  mayVisit(host: Host): boolean
  /** Whether a visit for the team may begin here. When not, those it holds are listed when it may. */
  mayWork(team: TeamTurns, most: number): boolean
  /** Whether a visit to the host for the team could begin here, if it were asked for. Asking changes nothing. */
  couldVisit(host: Host, team: TeamTurns, most: number): boolean
  /** A visit to the host, for the team, has ended. */
  ended(host: Host, team: TeamTurns): void
}

export interface SharedTurnsOptions {
  readonly board: Board
  readonly shares: Pick<Shares, 'mayBegin' | 'isFree' | 'want' | 'ended'> | undefined
  /** Visits at once of this engine. */
  readonly slots: number
  /** A visit may begin that could not. */
  readonly woken: () => void
}

const noLimit = Number.POSITIVE_INFINITY
const alone: SharedTurns = { mayVisit: () => true, mayWork: () => true, couldVisit: () => true, ended: () => undefined }

export function sharedTurns({ board, shares, slots, woken }: SharedTurnsOptions): SharedTurns {
  if (!shares) return alone
  const hosts: ShareUser = {
    isFew: false,
    usage: (pool) => {
      const host = board.hosts.get(nameIn(pool))
      return host ? hostUsage(board, host, slots) : nothing
    },
    wake: (pool) => {
      const host = board.hosts.get(nameIn(pool))
      if (!host || host.lanes.size === 0) return
      for (const lane of host.lanes) makeReady(board, lane)
      woken()
    },
  }
  const teams: ShareUser = {
    isFew: true,
    usage: (pool) => {
      const team = board.teams.get(nameIn(pool))
      return team ? teamUsage(board, team, slots) : nothing
    },
    wake: (pool) => {
      const team = board.teams.get(nameIn(pool))
      if (!team) return
      listHeld(board, team)
      woken()
    },
  }
  const may = (pool: string, most: number, running: number, user: ShareUser): boolean => {
    if (shares.mayBegin(pool, most, running, user)) return true
    shares.want(pool, most, user)
    return false
  }
  // A host that asks for a pause is visited by one at a time, of all engines.
  const mostOfHost = (host: Host): number => (isSlowed(board, host) ? 1 : board.manners.atOnce)
  return {
    mayVisit: (host) => may(hostPool(host), mostOfHost(host), host.pace.running, hosts),
    mayWork: (team, most) => most === noLimit || may(teamPool(team), most, team.running, teams),
    couldVisit: (host, team, most) =>
      shares.isFree(hostPool(host), mostOfHost(host), host.pace.running) &&
      (most === noLimit || shares.isFree(teamPool(team), most, team.running)),
    ended: (host, team) => {
      shares.ended(hostPool(host), host.pace.running)
      shares.ended(teamPool(team), team.running)
    },
  }
}

const nothing = { running: 0, wants: 0 }

function hostPool({ name }: Host): string {
  return `host ${name}`
}

function teamPool({ name }: TeamTurns): string {
  return `team ${name}`
}

function nameIn(pool: string): string {
  return pool.slice(pool.indexOf(' ') + 1)
}

function isSlowed({ manners }: Board, { pace }: Host): boolean {
  return pace.pause > manners.pause
}

/** What a job may still begin. */
function roomOf(job: ScheduledJob): number {
  const { terms, running, team } = job
  return Math.max(0, Math.min((terms.concurrency ?? noLimit) - running, mostOfTeam(job) - team.running))
}

function hostUsage(board: Board, host: Host, slots: number) {
  const { running, atOnce, nextStart } = host.pace
  if (nextStart > board.now()) return { running, wants: running }
  let waiting = 0
  for (const { job, waiting: count, running } of host.lanes) {
    const own = job.terms.delay === undefined ? count : Math.max(0, 1 - running)
    waiting += Math.min(own, roomOf(job))
  }
  return { running, wants: Math.max(running, Math.min(running + waiting, atOnce, slots)) }
}

function teamUsage(board: Board, team: TeamTurns, slots: number) {
  const { running } = team
  let [waiting, most] = [0, 0]
  for (const job of board.jobs.values()) {
    if (job.team !== team) continue
    most = Math.max(most, mostOfTeam(job))
    // What waits for a host, and not for a place, is in no lane that is ready.
    if (job.ready.size > 0) waiting += Math.min(job.waiting, roomOf(job))
  }
  return { running, wants: Math.max(running, Math.min(running + waiting, most, slots)) }
}

/** Lists the jobs of a team that wait for another visit of it to end. */
export function listHeld(board: Board, team: TeamTurns): void {
  const held = [...team.held]
  team.held.clear()
  for (const job of held) list(board, job)
}
