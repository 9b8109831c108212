import { waitingIn, type PoolUse, type Stakes } from './stakes.ts'

/** Those that ask whether they may wait for a place: all that ask at once are answered by one write. */
export interface Newcomers {
  readonly size: number
  /** Resolves when it is known whether this one may wait. Rejects with the signal's reason when that is aborted first. */
  join(wish: Wish): Promise<void>
  /** Begins to ask for all that joined so far. */
  begin(): void
  /** Adds as many to what is wanted as may wait. It may be run again, and the last time counts. */
  admit(wants: number, restake: (wants: number) => Stakes): Stakes
  /** Answers those that were asked for, as `admit` found. */
  settle(): void
  fail(error: unknown): void
  /** Answers all where no other engine counts. */
  settleHere(use: PoolUse, most: number): void
  /** Refuses those that were not asked for yet. */
  refuseAll(error: unknown): void
}

/** To wait for a place. */
export interface Wish {
  /** How many may wait in all. */
  readonly queue: number
  readonly signal: AbortSignal
  /** Is called when this one may wait, and must count it among those that do at once. */
  readonly stand: () => void
}

interface Newcomer {
  readonly queue: number
  readonly answer: (isIn: boolean) => void
  readonly refuse: (reason: unknown) => void
}

export function makeNewcomers(): Newcomers {
  const fresh = new Set<Newcomer>()
  let asked: readonly Newcomer[] = []
  let verdicts: readonly boolean[] = []

  return {
    get size() {
      return fresh.size
    },
    join: (wish) => join(fresh, wish),
    begin: () => {
      asked = [...fresh]
      fresh.clear()
    },
    admit: (before, restake) => {
      let wants = before
      let stakes = restake(wants)
      verdicts = asked.map(({ queue }) => {
        const more = restake(wants + 1)
        if (waitingIn(more) > queue) return false
        wants += 1
        stakes = more
        return true
      })
      return stakes
    },
    settle: () => {
      const [answered, isIn] = [asked, verdicts]
      asked = []
      for (const [index, { answer }] of answered.entries()) answer(isIn[index] === true)
    },
    fail: (error) => {
      for (const { refuse } of asked) refuse(error)
      asked = []
    },
    settleHere: ({ wants: before }, most) => {
      let wants = before
      const all = [...fresh]
      fresh.clear()
      for (const { queue, answer } of all) {
        const isIn = wants < most + queue
        if (isIn) wants += 1
        answer(isIn)
      }
    },
    refuseAll: (error) => {
      for (const { refuse } of fresh) refuse(error)
      fresh.clear()
    },
  }
}

function join(fresh: Set<Newcomer>, { queue, signal, stand }: Wish): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      fresh.delete(newcomer)
      reject(signal.reason)
    }
    const settled = (): void => signal.removeEventListener('abort', stop)
    const newcomer: Newcomer = {
      queue,
      answer: (isIn) => {
        settled()
        if (isIn) stand()
        resolve()
      },
      refuse: (reason) => {
        settled()
        reject(reason)
      },
    }
    signal.addEventListener('abort', stop, { once: true })
    fresh.add(newcomer)
  })
}
