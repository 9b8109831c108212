import { backoffAfter } from '@harvestman/toolbox/backoff'

/** Limits on visits to a host. Times are in milliseconds. */
export interface Manners {
  /** Maximum number of concurrent visits, if the host copes with them. */
  readonly atOnce: number
  /** Minimum time from the start of one visit to the start of the next. */
  readonly pause: number
  /** Maximum pause, whatever the host requests. */
  readonly maxRest: number
}

/** The default limits of a host. */
export const defaultManners: Manners = { atOnce: 32, pause: 0, maxRest: 60_000 }

/** Result of a visit. Unknown properties are omitted. */
export interface HostAnswer {
  /** Milliseconds until the first byte of the response. */
  readonly latency?: number | undefined
  readonly status?: number | undefined
  /** Milliseconds that the host requested to wait (`Retry-After`). */
  readonly retryAfter?: number | undefined
  /** There was no response: the connection failed, or timed out. */
  readonly failed?: boolean | undefined
}

/** State of one host, maintained by the functions below. */
export interface Pace {
  readonly manners: Manners
  pause: number
  atOnce: number
  /** No visit starts before this time. */
  nextStart: number
  running: number
  /** Number of consecutive good responses since `atOnce` last changed. */
  good: number
  /** Number of consecutive responses that requested a pause, or failed. */
  bad: number
  lastBad: number
  /** Long-term average of the latency, and average of the last few responses. */
  usual: number
  recent: number
}

const firstRest = 1000
/** Fewer consecutive failures than this count as chance. */
const minFailures = 3
const maxCrawlDelay = 30_000
/**
 * Maximum pause after failed connections, in milliseconds. Waiting longer would not bring the host back, and its other pages
 * should fail soon.
 */
const maxFailureRest = 4000
/** A host is considered down after this many consecutive bad responses, and is then retried at this interval (milliseconds). */
const down = { after: 8, for: 60_000 }
const tooSlow = { times: 3, more: 500 }

/**
 * Creates the pace of one host: how many visits may run, and when the next may start. It starts with `manners`, by default 32
 * visits without a pause, and adapts to the host's responses. Times are in milliseconds.
 */
export function makePace(manners: Manners = defaultManners): Pace {
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

/**
 * Raises the pause of a host to its `Crawl-delay`, up to 30 seconds, and allows it one visit at a time. Other values than
 * positive numbers of milliseconds are ignored.
 */
export function obeyCrawlDelay(pace: Pace, delay: number): void {
  if (!(delay > 0)) return
  pace.pause = Math.max(pace.pause, Math.min(delay, maxCrawlDelay))
  pace.atOnce = 1
}

/** Returns whether a visit may start at `now`, in milliseconds. */
export function mayStart(pace: Pace, now: number): boolean {
  return pace.running < pace.atOnce && pace.nextStart <= now
}

/** Counts a visit that starts at `now`, in milliseconds, and sets when the next one may. */
export function countStart(pace: Pace, now: number): void {
  pace.running += 1
  pace.nextStart = Math.max(pace.nextStart, now + pace.pause)
}

/**
 * Counts a visit that has ended at `now`, in milliseconds, and adapts the pace: more visits after good responses, fewer after
 * slow ones, and a pause after status 429 and 503, and from the third failure in a row (no response, or status 500 and above).
 * A visit without `status` and `failed` reveals nothing.
 */
export function countEnd(pace: Pace, now: number, visit: HostAnswer): void {
  pace.running -= 1
  if (visit.latency !== undefined && pace.atOnce === 1) countFromRequest(pace, now - visit.latency)
  // A visit that did not take place reveals nothing about the host.
  if (visit.status === undefined && !visit.failed) return
  if (visit.status === 429 || visit.status === 503) return backOff(pace, now, visit.retryAfter)
  if (visit.failed || (visit.status ?? 0) >= 500) {
    if (pace.bad + 1 >= minFailures) return backOff(pace, now, undefined, maxFailureRest)
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

/** A busy process sends a request some time after its turn began: the pause counts from the request, but is at most doubled. */
function countFromRequest(pace: Pace, sent: number): void {
  pace.nextStart = Math.max(pace.nextStart, Math.min(sent, pace.nextStart) + pace.pause)
}

/**
 * Returns whether a host has given 8 bad responses in a row, the last time within a minute, so that a request now would be
 * pointless. `now` is in milliseconds.
 */
export function isDown({ bad, lastBad }: Pace, now: number): boolean {
  return bad >= down.after && now < lastBad + down.for
}

/** Reduces concurrency and starts a pause. Concurrent visits report the same problem, which counts once per pause. */
function backOff(pace: Pace, now: number, requestedRest: number | undefined, longest = pace.manners.maxRest): void {
  const isNews = now >= pace.lastBad + firstRest && now >= pace.nextStart - pace.pause
  if (isNews) {
    pace.bad += 1
    pace.lastBad = now
    pace.atOnce = Math.max(Math.floor(pace.atOnce / 2), 1)
  }
  pace.good = 0
  const maxRest = Math.min(longest, pace.manners.maxRest)
  const rest = requestedRest ?? backoffAfter(pace.bad, { first: firstRest, longest: maxRest })
  pace.nextStart = Math.max(pace.nextStart, now + Math.min(rest, maxRest))
}

function slowDown(pace: Pace): void {
  pace.atOnce = Math.max(pace.atOnce - 1, 1)
  pace.good = 0
}

/**
 * Returns whether a host responds far more slowly than usual, which indicates overload. A host that is always slow is not
 * overloaded.
 */
function isOverloaded(pace: Pace, latency: number): boolean {
  pace.recent = pace.recent === 0 ? latency : pace.recent * 0.8 + latency * 0.2
  const slow = pace.usual > 0 && pace.recent > pace.usual * tooSlow.times && pace.recent > pace.usual + tooSlow.more
  pace.usual = pace.usual === 0 ? latency : pace.usual * 0.99 + latency * 0.01
  return slow
}

function widest(pace: Pace): number {
  return pace.pause > pace.manners.pause ? 1 : pace.manners.atOnce
}
