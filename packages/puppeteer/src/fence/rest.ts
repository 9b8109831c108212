import { isDoneWithin } from '../lib/race.ts'

/** Hides the pages of a live browser while it is not used, so that they need less CPU. */
export interface Rest {
  /** Starts a use. Resolves when the pages are visible, to a function that ends the use. */
  use(): Promise<() => void>
  /** Adds something that is hidden and shown together with the pages. Returns a function that removes it. */
  follow(resting: Resting): () => void
  end(): void
  readonly isUsed: boolean
}

export interface Resting {
  hide(): Promise<void>
  reveal(): Promise<void>
}

// In milliseconds. A page that is busy forever cannot be shown, but must still accept commands.
const showsWithin = 500

/**
 * Creates the rest of the pages of a live browser: hides the followers after `quiet` milliseconds without use, and shows them
 * before the next use. `use` waits at most 500 ms for that, and resolves to a function that ends the use; `end` prevents any
 * further rest.
 */
export function makeRest(quiet: number): Rest {
  const followers = new Set<Resting>()
  let uses = 0
  let isHidden = false
  let shown: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const change = (to: keyof Resting): void => {
    isHidden = to === 'hide'
    const all = Promise.all([...followers].map((one) => one[to]().catch(() => undefined)))
    if (!isHidden) shown = isDoneWithin(showsWithin, all)
  }

  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => change('hide'), quiet).unref()
  }

  wait()
  return {
    use: async () => {
      uses += 1
      clearTimeout(timer)
      if (isHidden) change('reveal')
      await shown
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        uses -= 1
        if (uses === 0) wait()
      }
    },
    get isUsed() {
      return uses > 0
    },
    follow: (one) => {
      followers.add(one)
      return () => followers.delete(one)
    },
    end: () => {
      uses = Infinity
      clearTimeout(timer)
    },
  }
}
