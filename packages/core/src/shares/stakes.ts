// How the places of a pool are divided among engines. Pure: what is kept goes in, what shall be kept comes out.

/** What one engine has of a pool. */
export interface Stake {
  /** Places that are its own until it gives them back. */
  readonly has: number
  /** As many as it has use for. */
  readonly wants: number
  /** Of engines that cannot all have a place, the one with the least is next. */
  readonly turn: number
}

/** The stakes in one pool, by the name of the engine. */
export type Stakes = Readonly<Record<string, Stake>>

/** What an engine does of a pool, and would do. */
export interface PoolUse {
  readonly running: number
  /** Running, and waiting for nothing but a place. */
  readonly wants: number
}

export interface Restake {
  readonly engine: string
  /** The places of the pool. */
  readonly most: number
  /** As many as the engine has use for. */
  readonly wants: number
  /** It gives none of so many back. */
  readonly floor: number
  /** Whether it gives back what others need, or what it has no use for. */
  readonly gives: boolean
}

const none: Stake = { has: 0, wants: 0, turn: 0 }

/** Takes what is free and fair for one engine, and gives back what is not. The places of all are never more than there are. */
export function restake(stakes: Stakes, { engine, most, wants, floor, gives }: Restake): Stakes {
  const mine = stakes[engine] ?? none
  const others = withoutStake(stakes, engine)
  const rest = Object.values(others)
  const last = Math.max(0, ...rest.map(({ turn }) => turn)) + 1
  const isOneWithout = rest.some((other) => other.has === 0 && other.wants > 0)
  // An engine that had its turn is behind those that wait for theirs; one that comes anew is behind all.
  const goesBehind = mine.wants === 0 || (gives && mine.has > 0 && isOneWithout)
  const turn = goesBehind ? last : mine.turn
  const fair = fairShare({ ...others, [engine]: { has: mine.has, wants, turn } }, most, engine)
  const free = most - mine.has - rest.reduce((sum, { has }) => sum + has, 0)
  const least = gives ? Math.max(fair, Math.min(mine.has, floor)) : mine.has
  const has = fair > mine.has ? mine.has + Math.max(0, Math.min(fair - mine.has, free)) : least
  if (has === 0 && wants === 0) return others
  return { ...others, [engine]: { has, wants, turn: mine.has === 0 && has > 0 ? last : turn } }
}

export function withoutStake(stakes: Stakes, engine: string): Stakes {
  const { [engine]: _, ...others } = stakes
  return others
}

/** What an engine may have when all places are divided evenly among those that have use for them. */
export function fairShare(stakes: Stakes, most: number, engine: string): number {
  const shares = new Map<string, number>()
  let left = most
  let open = Object.entries(stakes).toSorted(([, one], [, other]) => one.turn - other.turn)
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

/** Whether another engine has use for more than it has. */
export function othersLack(stakes: Stakes, engine: string): boolean {
  return Object.entries(stakes).some(([name, { has, wants }]) => name !== engine && wants > has)
}

/** How many wait for a place, of all engines. */
export function waitingIn(stakes: Stakes): number {
  return Object.values(stakes).reduce((sum, { has, wants }) => sum + Math.max(0, wants - has), 0)
}

/** The places that no engine has. */
export function freeIn(stakes: Stakes, most: number): number {
  return most - Object.values(stakes).reduce((sum, { has }) => sum + has, 0)
}
