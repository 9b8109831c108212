import type { Delivery } from './send.ts'

/** A message to send. */
export interface Notice {
  readonly id: string
  /** The first message is sent before all others, and the last one after them. */
  readonly order: 'first' | 'any' | 'last'
}

/** A message that was not accepted yet. */
export interface Unsent extends Notice {
  /** Its position among all messages. */
  readonly number: number
  readonly tries: number
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly at: number
  /** Why the last attempt failed. */
  readonly why?: string
}

/** Progress of sending messages, stored so that another worker can continue. */
export interface Outbox {
  /** Messages up to this one are accepted or in one of the lists. */
  readonly read?: string
  /** Number of messages read. */
  readonly count: number
  readonly pending: readonly Unsent[]
  /** Messages that have failed for good. They can be sent again on request. */
  readonly dead: readonly Unsent[]
  /** Number of messages that could not be sent because their content is no longer stored. Absent: 0. */
  readonly lost?: number
  /** Number of consecutive failed attempts. */
  readonly failures: number
  /** The receiver has refused all further messages. */
  readonly isStopped: boolean
  /** Number of requests to send failed messages again that were handled. */
  readonly revived: number
  /** The sender of these messages, and how often it has written this record. Absent before the first write. */
  readonly by?: string
  readonly saves?: number
}

export const emptyOutbox: Outbox = { count: 0, pending: [], dead: [], failures: 0, isStopped: false, revived: 0 }

const minute = 60_000
/** Delays before the second and later attempts, in milliseconds. */
const rests = [minute, 5 * minute, 15 * minute] as const
const maxRest = rests[2]
/** This many consecutive failures are caused by the receiver and not by a message: the number of attempts per message. */
const maxFailures = rests.length + 1
/** Maximum number of messages that were read but not tried. */
const maxUntried = 32
/** Maximum number of waiting messages, tried or not, so that a receiver that rejects some still gets the others. */
const maxPending = 512

/**
 * Returns whether the receiver is down: the last 4 attempts failed. It then gets no new messages: retries of waiting ones show
 * when it is back.
 */
export function isDown({ failures }: Outbox): boolean {
  return failures >= maxFailures
}

/**
 * Returns how many more messages may be read, until 32 are untried or 512 are waiting. 0 if the outbox is stopped, or the
 * receiver is down.
 */
export function countReadable(outbox: Outbox): number {
  if (isDown(outbox) || outbox.isStopped) return 0
  const fresh = outbox.pending.filter(({ tries }) => tries === 0).length
  return Math.max(Math.min(maxUntried - fresh, maxPending - outbox.pending.length), 0)
}

/**
 * Returns the outbox with messages that were read, to be sent at `now`, in milliseconds. Without any, returns the same outbox.
 */
export function addTo(outbox: Outbox, notices: readonly Notice[], now: number): Outbox {
  const last = notices.at(-1)
  if (!last) return outbox
  const added = notices.map((notice, index): Unsent => ({ ...notice, number: outbox.count + index, tries: 0, at: now }))
  return { ...outbox, read: last.id, count: outbox.count + added.length, pending: [...outbox.pending, ...added] }
}

/** Returns the messages to send now or later, in order, except for messages that must wait for others. */
function nextOf(outbox: Outbox): readonly Unsent[] {
  if (outbox.isStopped) return []
  const { pending, dead } = outbox
  if (!isDown(outbox)) return withoutWaiting(pending)
  const tried = withoutWaiting(pending).filter(({ tries }) => tries > 0)
  // If all tried messages have failed for good, the first of them shows when the receiver is back.
  return tried.length > 0 ? tried : dead.slice(0, 1)
}

function withoutWaiting(pending: readonly Unsent[]): readonly Unsent[] {
  const first = pending.find(({ order }) => order === 'first')
  if (first) return [first]
  return pending.filter(({ order }, index) => order !== 'last' || index === 0)
}

/**
 * Returns the messages that are due, in order: a `first` message before all others, and a `last` one after them. Only retries
 * while the receiver is down, and none if the outbox is stopped. `now` is in milliseconds since 1970.
 */
export function dueIn(outbox: Outbox, now: number): readonly Unsent[] {
  return nextOf(outbox).filter(({ at }) => timeOf(at, now) <= now)
}

/** Returns when the next message is due; Infinity if there is none. In milliseconds since 1970. */
export function nextTime(outbox: Outbox, now: number): number {
  return Math.min(...nextOf(outbox).map(({ at }) => timeOf(at, now)))
}

/** A time further away than the longest delay was written before the clock was set back, so the message is due now. */
function timeOf(at: number, now: number): number {
  return at > now + maxRest ? now : at
}

/** Returns whether there is nothing left to do for the messages read so far, also because the outbox is stopped. */
export function isSettled(outbox: Outbox): boolean {
  return nextOf(outbox).length === 0
}

/**
 * Returns the outbox after an attempt to send a message. An unknown id changes nothing. Failed messages are retried after 1, 5
 * and 15 minutes, then count as failed for good; a final refusal stops the outbox. After a success of a receiver that was down,
 * all of them are sent again. `now` is in milliseconds.
 */
export function recordDelivery(outbox: Outbox, id: string, outcome: Delivery, now: number): Outbox {
  const message = [...outbox.pending, ...outbox.dead].find((one) => one.id === id)
  if (!message) return outbox
  const rest = without(outbox, id)
  if (outcome === 'lost') return { ...rest, lost: (outbox.lost ?? 0) + 1 }
  if (outcome === 'taken') {
    // The receiver is back, so messages that failed or were delayed while it was down are sent again.
    return { ...(isDown(outbox) ? allAgain(rest, now) : rest), failures: 0 }
  }
  const failed = { ...rest, failures: outbox.failures + 1, isStopped: outbox.isStopped || outcome.isFinal === true }
  const tries = message.tries + 1
  const pause = rests[tries - 1]
  const tried = { ...message, tries, why: outcome.why }
  if (outcome.isFinal === true || pause === undefined)
    return { ...failed, dead: inOrder([...rest.dead, { ...tried, at: now + maxRest }]) }
  const at = now + Math.min(Math.max(pause, outcome.wait ?? 0), maxRest)
  return { ...failed, pending: inOrder([...rest.pending, { ...tried, at }]) }
}

/**
 * Returns the outbox with all messages due at `now`, in milliseconds, including failed ones, and not stopped. Returns the same
 * outbox if `asked`, the number of requests so far, has not changed.
 */
export function retryFailed(outbox: Outbox, asked: number, now: number): Outbox {
  if (asked === outbox.revived) return outbox
  return { ...allAgain(outbox, now), revived: asked, failures: 0, isStopped: false }
}

/**
 * Returns the outbox without the messages that `isLost` accepts, which belong to a history that the store has lost. If the last
 * read message is lost too, reading continues after `last`, the last message that is not lost.
 */
export function forgetLost(outbox: Outbox, isLost: (id: string) => boolean, last: string): Outbox {
  const { read, pending, dead } = outbox
  const isStill = ({ id }: Unsent): boolean => !isLost(id)
  return {
    ...outbox,
    pending: pending.filter(isStill),
    dead: dead.filter(isStill),
    ...(read !== undefined && isLost(read) && { read: last }),
  }
}

function allAgain({ pending, dead, ...outbox }: Outbox, now: number): Outbox {
  const again = dead.map(({ id, order, number }): Unsent => ({ id, order, number, tries: 0, at: now }))
  return { ...outbox, dead: [], pending: inOrder([...pending.map((one) => ({ ...one, at: now })), ...again]) }
}

function without({ pending, dead, ...outbox }: Outbox, id: string): Outbox {
  return { ...outbox, pending: pending.filter((one) => one.id !== id), dead: dead.filter((one) => one.id !== id) }
}

function inOrder(messages: readonly Unsent[]): readonly Unsent[] {
  return messages.toSorted((one, other) => one.number - other.number)
}
