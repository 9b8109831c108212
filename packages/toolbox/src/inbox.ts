import type { Clock } from '@harvestman/ports'
import { elapsed, systemClock } from '@harvestman/ports'
import { fifo } from './fifo.ts'
import { guarded } from './guarded.ts'

/** Limits for the messages of one sender. */
export interface InboxLimits {
  /** Characters that may be queued before the sender is paused. */
  readonly waiting: number
  /** Characters handled per second, which is also the burst after a second without messages. */
  readonly perSecond: number
}

/** Maximum size of a message on any connection, in bytes. */
export const maxMessageBytes = 8 * 1_048_576

/** Default limits for the messages of one sender. */
export const inboxLimits: InboxLimits = { waiting: 1_048_576, perSecond: 2 * maxMessageBytes }

/** Options of `makeInbox`. */
export interface InboxOptions {
  /** Pauses or resumes the sender. */
  readonly hold: (isHeld: boolean) => void
  /** Called with an internal error of the message handler. No further messages are handled. */
  readonly onFault: (fault: unknown) => void
  readonly limits?: InboxLimits
  readonly clock?: Clock
}

/**
 * Queues the messages of one external sender in order and handles a limited number of characters per second, in short slices,
 * so that other connections are not delayed.
 */
export interface Inbox {
  add(message: string): void
  /** Sets the handler of messages; until then they are queued. */
  open(take: (message: string) => unknown): void
  /** Pauses the sender and the handling of queued messages while true. */
  hold(isHeld: boolean): void
  close(): void
}

// Milliseconds: long enough for hundreds of small messages, short for the other connections.
const slice = 8

/** Weight of a message. The constant is for its overhead, which empty messages have too. */
const weightOf = (message: string): number => message.length + 64

/**
 * Creates the queue for the messages of one sender, which is paused with `hold` while more than `limits.waiting` characters are
 * queued. At most `limits.perSecond` are handled per second, and each message counts as 64 more. An error of the reader goes to
 * `onFault` and ends the inbox.
 */
export function makeInbox({ hold, onFault, limits = inboxLimits, clock = systemClock }: InboxOptions): Inbox {
  const messages = fifo<string>()
  const over = new AbortController()
  const sender = makeSender(hold, limits)
  const allowance = makeAllowance(limits, clock)
  let take: ((message: string) => void) | undefined
  let isWorking = false

  const fail = (fault: unknown): void => {
    if (over.signal.aborted) return
    over.abort()
    onFault(fault)
  }
  const canGoOn = (): boolean => messages.size > 0 && !over.signal.aborted && !sender.isHeldByOther
  const work = async (): Promise<void> => {
    while (canGoOn()) {
      await new Promise((resolve) => setImmediate(resolve))
      const end = elapsed(clock) + slice
      while (canGoOn() && elapsed(clock) < end && allowance.rest() === 0) {
        const message = messages.shift() ?? ''
        allowance.use(weightOf(message))
        take?.(message)
        sender.count(-weightOf(message))
      }
      const pause = canGoOn() ? allowance.rest() : 0
      if (pause > 0) await clock.sleep(pause, over.signal).catch(() => undefined)
    }
    isWorking = false
  }
  const begin = (): void => {
    if (!take || isWorking) return
    isWorking = true
    work().catch(fail)
  }
  return {
    add: (message) => {
      if (over.signal.aborted) return
      messages.push(message)
      sender.count(weightOf(message))
      begin()
    },
    open: (to) => {
      take = guarded(to, fail)
      begin()
    },
    hold: (isHeld) => {
      sender.hold(isHeld)
      if (!isHeld) begin()
    },
    close: () => over.abort(),
  }
}

/** Pauses the sender while the queue is full, or while a caller requests it. */
function makeSender(tell: InboxOptions['hold'], limits: InboxLimits) {
  let waiting = 0
  let isFull = false
  let isHeldByOther = false
  let wasHeld = false
  const tellSender = (): void => {
    const isHeld = isFull || isHeldByOther
    if (isHeld === wasHeld) return
    wasHeld = isHeld
    tell(isHeld)
  }
  return {
    get isHeldByOther() {
      return isHeldByOther
    },
    hold: (isHeld: boolean): void => {
      isHeldByOther = isHeld
      tellSender()
    },
    count: (by: number): void => {
      waiting += by
      isFull = waiting > (isFull ? limits.waiting / 2 : limits.waiting)
      tellSender()
    },
  }
}

/** Limits how many characters are handled per second (token bucket). */
function makeAllowance({ perSecond }: InboxLimits, clock: Clock) {
  let credit = perSecond
  let creditAt = elapsed(clock)
  return {
    use: (weight: number): void => void (credit -= weight),
    /** Milliseconds until the next message may be handled. */
    rest: (): number => {
      const now = elapsed(clock)
      credit = Math.min(perSecond, credit + ((now - creditAt) * perSecond) / 1_000)
      creditAt = now
      return credit > 0 ? 0 : Math.ceil((1 - credit) / (perSecond / 1_000))
    },
  }
}
