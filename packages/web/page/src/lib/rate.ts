/** How fast something goes, and how long it will still take. */
export interface Pace {
  readonly perSecond: number
  /** Milliseconds, when that can be told. */
  readonly left: number | undefined
}

const window = 10_000

/** Remembers how much was done when, and gives the pace of the last seconds. */
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
