import { type Clock, isRecord, type Stop, type Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'
import { makeGroupCommit } from '../records/group-commit.ts'
import { watchKey } from '../records/watch.ts'

/** The rests that hosts ask for, told to all engines on one store: what one of them hears, the others keep. */
export interface SharedRests {
  /** This engine was asked to leave a host alone for so many milliseconds. It is not waited for. */
  tell(host: string, rest: number): void
  /** Hears of rests from now on. Calling it again does nothing. */
  begin(): void
  close(): Promise<void>
}

export interface SharedRestsOptions {
  readonly store: Store
  readonly clock: Clock
  /** No rest is longer; what says so was written by a clock that is wrong. */
  readonly longest: number
  /** Is told of the rests that other engines heard of. */
  readonly heard: (host: string, rest: number) => void
}

/** Ends of the rests, by host. */
type Rests = Readonly<Record<string, number>>

const key = coordinationKeys.rests()
// A shorter one is over before it has gone round.
const shortest = 200
const lookEvery = 1_000
/** Most hosts at once; beyond, those whose rest ends first are dropped. */
const mostHosts = 2_000

/** One value for all hosts: it is written when a host asks for rest, and no page pays for it. */
export function sharedRests({ store, clock, longest, heard }: SharedRestsOptions): SharedRests {
  const known = new Map<string, number>()
  let watching: Promise<Stop> | undefined
  const left = (until: number, now: number): number => (until > now + longest ? 0 : until - now)
  const commit = makeGroupCommit<Rests>(async (name, change) => {
    const now = clock.now()
    const write = (old: unknown): Rests => lastOf(change(restsIn(old)), now, left)
    return (await store.update(name, write, { ttl: longest })) as Rests
  })
  const look = async (): Promise<void> => {
    const rests = restsIn(await store.get(key))
    const now = clock.now()
    for (const [host, until] of Object.entries(rests)) {
      const rest = left(until, now)
      if (rest <= 0 || (known.get(host) ?? 0) >= until) continue
      known.set(host, until)
      heard(host, rest)
    }
    for (const [host, until] of known) if (until <= now) known.delete(host)
  }
  return {
    tell: (host, rest) => {
      if (rest < shortest) return
      const until = clock.now() + Math.min(rest, longest)
      known.set(host, until)
      const longer = (rests: Rests): Rests => ({ ...rests, [host]: Math.max(rests[host] ?? 0, until) })
      // A store that is away: each engine learns of it by itself.
      commit.add(key, longer).catch(() => undefined)
    },
    begin: () => {
      if (watching) return
      watching = watchKey(store, key, () => void look().catch(() => undefined), { every: lookEvery })
      void watching.then(look).catch(() => undefined)
    },
    close: async () => {
      const stop = await watching
      await stop?.()
      await commit.idle()
    },
  }
}

/** Reads the rests. A damaged value says of no host that it rests. */
function restsIn(kept: unknown): Rests {
  return isRecord(kept) ? (kept as Rests) : {}
}

function lastOf(rests: Rests, now: number, left: (until: number, now: number) => number): Rests {
  const going = Object.entries(rests).filter(([, until]) => left(until, now) > 0)
  if (going.length <= mostHosts) return Object.fromEntries(going)
  return Object.fromEntries(going.toSorted(([, one], [, other]) => other - one).slice(0, mostHosts))
}
