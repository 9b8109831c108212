import { backoffAfter } from '@harvestman/ports/adapters'

/** Limits on visits to a host. Times are in milliseconds. */
export interface Manners {
  /** Visits at once, when the host copes. */
  readonly atOnce: number
  /** Time from the start of one visit to the start of the next. */
  readonly pause: number
  /** No host is left alone for longer, whatever it asks for. */
  readonly longestRest: number
}

/** The manners towards a host that has asked for nothing. */
export const usualManners: Manners = { atOnce: 32, pause: 0, longestRest: 60_000 }

/** Result of a visit. Unknown facts are left out. */
export interface HostAnswer {
  /** Milliseconds until the first byte of the answer. */
  readonly latency?: number | undefined
  readonly status?: number | undefined
  /** For how long the host asked to be left alone, in milliseconds. */
  readonly retryAfter?: number | undefined
  /** No answer: the connection failed, or took too long. */
  readonly failed?: boolean | undefined
}

/** State of one host. It belongs to the functions below. */
export interface Pace {
  readonly manners: Manners
  pause: number
  atOnce: number
  /** No visit starts before. */
  nextStart: number
  running: number
  /** Answers in a row that went well, since `atOnce` last changed. */
  good: number
  /** Answers in a row that asked us to leave the host alone, or failed. */
  bad: number
  lastBad: number
  /** The usual latency, which follows slowly, and that of the last few answers. */
  usual: number
  recent: number
}

const firstRest = 1000
/** Failures in a row that are taken for chance. */
const mostFailures = 3
const longestDelay = 30_000
/** A host that is gone will not come back for being waited for; its other pages should fail soon. */
const longestFailureRest = 4000
/** A host is given up after so many bad answers in a row, and then tried again from time to time. */
const gone = { after: 8, for: 60_000 }
const tooSlow = { times: 3, more: 500 }

export function makePace(manners: Manners = usualManners): Pace {
  const { atOnce, pause } = manners
  return {
    manners,
    pause,
    atOnce,
    nextStart: 0,
    running: 0,
    good: 0,
    bad: 0,
    lastBad: Number.NEGATIVE_INFINITY,
    usual: 0,
    recent: 0,
  }
}

/** Obeys a `Crawl-delay`, up to half a minute. A host that asks for one is visited by one at a time. */
export function obeyCrawlDelay(pace: Pace, delay: number): void {
  if (!(delay > 0)) return
  pace.pause = Math.max(pace.pause, Math.min(delay, longestDelay))
  pace.atOnce = 1
}

export function mayStart(pace: Pace, now: number): boolean {
  return pace.running < pace.atOnce && pace.nextStart <= now
}

export function started(pace: Pace, now: number): void {
  pace.running += 1
  pace.nextStart = Math.max(pace.nextStart, now + pace.pause)
}

export function ended(pace: Pace, now: number, visit: HostAnswer): void {
  pace.running -= 1
  if (visit.latency !== undefined && pace.atOnce === 1) countFromRequest(pace, now - visit.latency)
  // A visit that was not made says nothing of the host.
  if (visit.status === undefined && !visit.failed) return
  if (visit.status === 429 || visit.status === 503) return backOff(pace, now, visit.retryAfter)
  if (visit.failed || (visit.status ?? 0) >= 500) {
    if (pace.bad + 1 >= mostFailures) return backOff(pace, now, undefined, longestFailureRest)
    pace.bad += 1
    pace.good = 0
    return
  }
  pace.bad = 0
  if (visit.latency !== undefined && isOverloaded(pace, visit.latency)) return slowDown(pace)
  pace.good += 1
  if (pace.good >= pace.atOnce && pace.atOnce < widest(pace)) {
    pace.atOnce += 1
    pace.good = 0
  }
}

/** A busy process sends its request some time after its turn came: the pause counts from then, and grows by itself at most. */
function countFromRequest(pace: Pace, sent: number): void {
  pace.nextStart = Math.max(pace.nextStart, Math.min(sent, pace.nextStart) + pace.pause)
}

/** Returns whether a host has failed so often that asking it now would be in vain. */
export function isGone({ bad, lastBad }: Pace, now: number): boolean {
  return bad >= gone.after && now < lastBad + gone.for
}

/** Visits that ran at the same time tell of one and the same trouble: it counts once for each rest. */
function backOff(pace: Pace, now: number, asked: number | undefined, longest = pace.manners.longestRest): void {
  const isNews = now >= pace.lastBad + firstRest && now >= pace.nextStart - pace.pause
  if (isNews) {
    pace.bad += 1
    pace.lastBad = now
    pace.atOnce = Math.max(Math.floor(pace.atOnce / 2), 1)
  }
  pace.good = 0
  const longestRest = Math.min(longest, pace.manners.longestRest)
  const rest = asked ?? backoffAfter(pace.bad, { first: firstRest, longest: longestRest })
  pace.nextStart = Math.max(pace.nextStart, now + Math.min(rest, longestRest))
}

function slowDown(pace: Pace): void {
  pace.atOnce = Math.max(pace.atOnce - 1, 1)
  pace.good = 0
}

/** A host that answers far more slowly than it used to has enough to do. A host that was always slow has not. */
function isOverloaded(pace: Pace, latency: number): boolean {
  pace.recent = pace.recent === 0 ? latency : pace.recent * 0.8 + latency * 0.2
  const slow = pace.usual > 0 && pace.recent > pace.usual * tooSlow.times && pace.recent > pace.usual + tooSlow.more
  pace.usual = pace.usual === 0 ? latency : pace.usual * 0.99 + latency * 0.01
  return slow
}

function widest(pace: Pace): number {
  return pace.pause > pace.manners.pause ? 1 : pace.manners.atOnce
}
