import type { Delivery } from './send.ts'

/** A message that is to be sent. */
export interface Notice {
  readonly id: string
  /** The first message goes before all others, and the last one after them. */
  readonly order: 'first' | 'any' | 'last'
}

/** A message that was not taken yet. */
export interface Unsent extends Notice {
  /** Its place among all messages. */
  readonly number: number
  readonly tries: number
  /** When it is tried next. */
  readonly at: number
  /** Why it was not taken the last time. */
  readonly why?: string
}

/** How far the sending of messages has come. All of it is kept, so that the next worker knows. */
export interface Outbox {
  /** Messages up to this one are taken, or in one of the lists. */
  readonly read?: string
  /** How many messages were read. */
  readonly count: number
  readonly pending: readonly Unsent[]
  /** Those that were given up. They can be sent again. */
  readonly dead: readonly Unsent[]
  /** Tries in a row that came to nothing. */
  readonly failures: number
  /** The receiver has said that it wants no more of them. */
  readonly isStopped: boolean
  /** How often it was asked that those which were given up be sent again. */
  readonly revived: number
  /** Sender of these messages, and the number of times that it has written this record. Absent before it is written. */
  readonly by?: string
  readonly saves?: number
}

export const emptyOutbox: Outbox = { count: 0, pending: [], dead: [], failures: 0, isStopped: false, revived: 0 }

const minute = 60_000
/** When a message is tried again, after the try before. */
const rests = [minute, 5 * minute, 15 * minute] as const
const longestRest = rests[2]
/** So many failures in a row are about the receiver and not about what it is sent: as many as a message is given. */
const mostFailures = rests.length + 1
/** Messages that were read and not tried. */
const mostFresh = 32
/** Messages that wait, tried or not: a receiver that refuses some does not hold up the others. */
const mostPending = 512

/** A receiver that takes nothing is sent nothing new: what waits for its next try tells whether it is back. */
export function isDown({ failures }: Outbox): boolean {
  return failures >= mostFailures
}

/** How many more messages may be read. */
export function roomIn(outbox: Outbox): number {
  if (isDown(outbox) || outbox.isStopped) return 0
  const fresh = outbox.pending.filter(({ tries }) => tries === 0).length
  return Math.max(Math.min(mostFresh - fresh, mostPending - outbox.pending.length), 0)
}

/** Takes in messages that were read. */
export function addTo(outbox: Outbox, notices: readonly Notice[], now: number): Outbox {
  const last = notices.at(-1)
  if (!last) return outbox
  const added = notices.map((notice, index): Unsent => ({ ...notice, number: outbox.count + index, tries: 0, at: now }))
  return { ...outbox, read: last.id, count: outbox.count + added.length, pending: [...outbox.pending, ...added] }
}

/** What may be sent now or is to be sent later, each with its time: in order, and none of those that have to wait for others. */
function nextOf(outbox: Outbox): readonly Unsent[] {
  if (outbox.isStopped) return []
  const { pending, dead } = outbox
  if (!isDown(outbox)) return withoutWaiting(pending)
  const tried = withoutWaiting(pending).filter(({ tries }) => tries > 0)
  // All that was tried is given up: its first message shows whether the receiver is back.
  return tried.length > 0 ? tried : dead.slice(0, 1)
}

function withoutWaiting(pending: readonly Unsent[]): readonly Unsent[] {
  const first = pending.find(({ order }) => order === 'first')
  if (first) return [first]
  return pending.filter(({ order }, index) => order !== 'last' || index === 0)
}

/** The messages to be sent now. */
export function dueIn(outbox: Outbox, now: number): readonly Unsent[] {
  return nextOf(outbox).filter(({ at }) => timeOf(at, now) <= now)
}

/** When there is something to be sent; never, when it is Infinity. */
export function nextTime(outbox: Outbox, now: number): number {
  return Math.min(...nextOf(outbox).map(({ at }) => timeOf(at, now)))
}

/** No rest is longer than the longest: a time beyond it was written before the clock was set back. */
function timeOf(at: number, now: number): number {
  return at > now + longestRest ? now : at
}

/** Whether nothing is left to do for messages that were read. */
export function isQuiet(outbox: Outbox): boolean {
  return nextOf(outbox).length === 0
}

/** What has become of the outbox when a message was tried. */
export function recordDelivery(outbox: Outbox, id: string, outcome: Delivery, now: number): Outbox {
  const message = [...outbox.pending, ...outbox.dead].find((one) => one.id === id)
  if (!message) return outbox
  const rest = without(outbox, id)
  if (outcome === 'taken') {
    // What was given up or put off while the receiver was down is not lost for that.
    return { ...(isDown(outbox) ? allAgain(rest, now) : rest), failures: 0 }
  }
  const failed = { ...rest, failures: outbox.failures + 1, isStopped: outbox.isStopped || outcome.isFinal === true }
  const tries = message.tries + 1
  const pause = rests[tries - 1]
  const tried = { ...message, tries, why: outcome.why }
  if (outcome.isFinal === true || pause === undefined)
    return { ...failed, dead: inOrder([...rest.dead, { ...tried, at: now + longestRest }]) }
  const at = now + Math.min(Math.max(pause, outcome.wait ?? 0), longestRest)
  return { ...failed, pending: inOrder([...rest.pending, { ...tried, at }]) }
}

/** Sends again what was given up, when that was asked for since it was done last. */
export function revive(outbox: Outbox, asked: number, now: number): Outbox {
  if (asked === outbox.revived) return outbox
  return { ...allAgain(outbox, now), revived: asked, failures: 0, isStopped: false }
}

/**
 * Forgets the messages of a history that the store has lost: those that `isLost` names. What was read continues after
 * `last`, the last message that is not lost, if what was read is lost as well.
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
