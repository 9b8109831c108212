import type { Clock } from '../clock.ts'
import { elapsed, systemClock } from './clock.ts'
import { fifo } from './fifo.ts'
import { guarded } from './guarded.ts'

/** Bounds of the messages of one sender. */
export interface InboxLimits {
  /** Characters that wait before the sender is told to hold on. */
  readonly waiting: number
  /** Characters that are taken in a second, and at once after a second of silence. */
  readonly perSecond: number
}

/** Bytes of the largest message that any connection takes. */
export const largestMessage = 8 * 1_048_576

/** The usual bounds of the messages of one sender. */
export const inboxLimits: InboxLimits = { waiting: 1_048_576, perSecond: 2 * largestMessage }

/** Options of `makeInbox`. */
export interface InboxOptions {
  /** Has the sender hold on, or go on. */
  readonly hold: (isHeld: boolean) => void
  /** Something of ours broke while a message was taken. No further message is. */
  readonly onFault: (fault: unknown) => void
  readonly limits?: InboxLimits
  readonly clock?: Clock
}

/** Messages of one outside sender, in order: only so much a second, in slices, so that no other connection waits. */
export interface Inbox {
  add(message: string): void
  /** Says who takes the messages; until then they wait. */
  open(take: (message: string) => unknown): void
  /** Has the sender hold on for as long as it is true, whatever waits here. */
  hold(isHeld: boolean): void
  close(): void
}

// Long enough for hundreds of small messages, and short for those that wait meanwhile.
const slice = 8

/** Weight of a message: one without a letter takes place too. */
const weightOf = (message: string): number => message.length + 64

/** Makes a place where messages of one sender wait in order, within bounds. */
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

/** Has the sender hold on while too much waits, or a caller wants it. */
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

/** Makes the allowance of how much may be taken a second. */
function makeAllowance({ perSecond }: InboxLimits, clock: Clock) {
  let credit = perSecond
  let creditAt = elapsed(clock)
  return {
    use: (weight: number): void => void (credit -= weight),
    /** Milliseconds until a message may be taken. */
    rest: (): number => {
      const now = elapsed(clock)
      credit = Math.min(perSecond, credit + ((now - creditAt) * perSecond) / 1_000)
      creditAt = now
      return credit > 0 ? 0 : Math.ceil((1 - credit) / (perSecond / 1_000))
    },
  }
}
