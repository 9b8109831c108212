import { isDoneWithin } from '../lib/race.ts'

/** Lets the pages of a live browser rest while nothing is done with them. */
export interface Rest {
  /** Ends the rest, and resolves when the pages are shown. What it gives says that this use is over. */
  use(): Promise<() => void>
  /** What rests and goes on with the pages. Gives what ends that. */
  follow(resting: Resting): () => void
  end(): void
  readonly isUsed: boolean
}

export interface Resting {
  hide(): Promise<void>
  reveal(): Promise<void>
}

// A page that is busy for good cannot be shown, and must still be spoken to.
const showsWithin = 500

/** Hides what follows it after `quiet` milliseconds without a use, and shows it before the next one. */
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
