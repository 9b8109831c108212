/** Rate of progress and estimated remaining time. */
export interface Pace {
  readonly perSecond: number
  /** Remaining milliseconds, if they can be estimated. */
  readonly left: number | undefined
}

const window = 10_000

/**
 * Creates a meter that records progress and returns the rate over the last 10 seconds. `now` is in milliseconds; so is
 * `left`, the remaining time, which is `undefined` if it is unknown.
 */
export function makePace(): (done: number, total: number, now: number) => Pace {
  const past: { readonly at: number; readonly done: number }[] = []
  return (done, total, now) => {
    past.push({ at: now, done })
    while (past.length > 2 && now - (past[1]?.at ?? now) >= window) past.shift()
    const [first = { at: now, done }] = past
    const perSecond = now > first.at ? ((done - first.done) * 1_000) / (now - first.at) : 0
    return { perSecond, left: perSecond > 0 && total > done ? ((total - done) / perSecond) * 1_000 : undefined }
  }
}
