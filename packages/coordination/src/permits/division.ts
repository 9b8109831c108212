// Division of the permits of a pool among the engines that hold some. Pure: from the kept holdings to those to keep.

/** Share of one engine in a pool. */
export interface Holding {
  /** Permits that are its own until it gives them back. */
  readonly has: number
  /** Permits that it has use for. */
  readonly wants: number
  /** Turn of the engine: when not all can have a permit, the one with the least is next. */
  readonly turn: number
}

/** Holdings of one pool, by the name of the engine. */
export type Holdings = Readonly<Record<string, Holding>>

/** Use of a pool by an engine: what it does, and would do. */
export interface Usage {
  readonly running: number
  /** Running, and waiting for nothing but a permit. */
  readonly wants: number
}

export interface Claim extends Usage {
  readonly engine: string
  /** The permits of the pool. */
  readonly limit: number
  /** True to keep what it has, though others lack some or it has no use for it. */
  readonly keeps: boolean
}

export const noHolding: Holding = { has: 0, wants: 0, turn: 0 }

/**
 * Takes for one engine what is free and fair, and gives back what is not. No engine takes what another holds; and what runs is
 * held, whatever others made of it meanwhile.
 */
export function divide(holdings: Holdings, { engine, limit, running, wants, keeps }: Claim): Holdings {
  const mine = holdings[engine] ?? noHolding
  const { [engine]: _, ...others } = holdings
  const rest = Object.values(others)
  const last = Math.max(0, ...rest.map(({ turn }) => turn)) + 1
  const isOneWithout = rest.some((other) => other.has === 0 && other.wants > 0)
  // An engine that had its turn is behind those that wait for theirs; one that comes anew is behind all.
  const turn = mine.wants === 0 || (mine.has > 0 && isOneWithout) ? last : mine.turn
  const fair = fairShare({ ...others, [engine]: { has: mine.has, wants, turn } }, limit, engine)
  const most = mine.has + Math.max(0, freeIn(holdings, limit))
  const has = Math.max(running, keeps ? mine.has : 0, Math.min(fair, most))
  if (has === 0 && wants === 0) return others
  return { ...others, [engine]: { has, wants, turn: mine.has === 0 && has > 0 ? last : turn } }
}

/** Number of permits for an engine when all are divided evenly among those that have use for them. */
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

/** Returns whether another engine has use for more than it has. */
export function othersLack(holdings: Holdings, engine: string): boolean {
  return Object.entries(holdings).some(([name, { has, wants }]) => name !== engine && wants > has)
}

/** Number of waiters for a permit, of all engines. */
export function waitingIn(holdings: Holdings): number {
  return Object.values(holdings).reduce((sum, { has, wants }) => sum + Math.max(0, wants - has), 0)
}

/** The permits that no engine holds. */
export function freeIn(holdings: Holdings, limit: number): number {
  return limit - Object.values(holdings).reduce((sum, { has }) => sum + has, 0)
}
