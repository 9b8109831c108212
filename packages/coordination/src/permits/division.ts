// Divides the permits of a pool among engines. Pure functions from stored holdings to new ones.

/** Share of one engine in a pool. */
export interface Holding {
  /** Permits that the engine has until it releases them. */
  readonly has: number
  /** Permits that the engine needs. */
  readonly wants: number
  /** Turn of the engine: if there are not enough permits, the engine with the lowest turn is next. */
  readonly turn: number
}

/** Holdings of one pool, by engine name. */
export type Holdings = Readonly<Record<string, Holding>>

/** Usage of a pool by an engine. */
export interface Usage {
  readonly running: number
  /** Running tasks, plus tasks that need only a permit to start. */
  readonly wants: number
}

export interface Claim extends Usage {
  readonly engine: string
  /** Number of permits of the pool. */
  readonly limit: number
  /** True to keep all permits that it has, even if others lack some or they are unused. */
  readonly keeps: boolean
}

export const noHolding: Holding = { has: 0, wants: 0, turn: 0 }

/**
 * Updates the share of one engine: takes free permits up to its fair share, and releases permits beyond it. Never
 * takes permits that another engine has, and never releases permits of running tasks. Returns the new holdings of all
 * engines; an engine without permits and tasks is removed.
 */
export function dividePermits(holdings: Holdings, { engine, limit, running, wants, keeps }: Claim): Holdings {
  const mine = holdings[engine] ?? noHolding
  const { [engine]: _, ...others } = holdings
  const rest = Object.values(others)
  const last = Math.max(0, ...rest.map(({ turn }) => turn)) + 1
  const isOneWithout = rest.some((other) => other.has === 0 && other.wants > 0)
  // An engine that had its turn moves behind the waiting engines. A new engine starts at the end.
  const turn = mine.wants === 0 || (mine.has > 0 && isOneWithout) ? last : mine.turn
  const fair = fairShare({ ...others, [engine]: { has: mine.has, wants, turn } }, limit, engine)
  const most = mine.has + Math.max(0, countFree(holdings, limit))
  const has = Math.max(running, keeps ? mine.has : 0, Math.min(fair, most))
  if (has === 0 && wants === 0) return others
  return { ...others, [engine]: { has, wants, turn: mine.has === 0 && has > 0 ? last : turn } }
}

/**
 * Returns an engine's number of permits when all are divided evenly among the engines that need some, at most as many as it
 * needs. Returns 0 for an engine that needs none or is not in the holdings.
 */
export function fairShare(holdings: Holdings, limit: number, engine: string): number {
  const shares = new Map<string, number>()
  let left = limit
  let open = Object.entries(holdings).toSorted(([, one], [, other]) => one.turn - other.turn)
  while (open.length > 0 && left > 0) {
    const even = Math.max(1, Math.floor(left / open.length))
    for (const [name, { wants }] of open) {
      const had = shares.get(name) ?? 0
      const more = Math.min(even, wants - had, left)
      shares.set(name, had + more)
      left -= more
    }
    open = open.filter(([name, { wants }]) => (shares.get(name) ?? 0) < wants)
  }
  return shares.get(engine) ?? 0
}

/** Returns whether another engine needs more permits than it has. */
export function doOthersLackPermits(holdings: Holdings, engine: string): boolean {
  return Object.entries(holdings).some(([name, { has, wants }]) => name !== engine && wants > has)
}

/** Returns the number of tasks of all engines that wait for a permit. */
export function countWaiting(holdings: Holdings): number {
  return Object.values(holdings).reduce((sum, { has, wants }) => sum + Math.max(0, wants - has), 0)
}

/** Returns the number of permits that no engine has. Negative if the limit was lowered below what the engines have. */
export function countFree(holdings: Holdings, limit: number): number {
  return limit - Object.values(holdings).reduce((sum, { has }) => sum + has, 0)
}
