import { type Clock, isRecord, type Stop, type Store } from '@harvestman/ports'
import { coordinationKeys } from '../keys.ts'
import { makeGroupCommit } from '../records/group-commit.ts'
import { watchKey } from '../records/watch.ts'

/** Shares `Retry-After` periods of hosts with all engines on one store: if a host asks one engine to wait, all engines wait. */
export interface SharedRests {
  /** Announces that a host asked this engine to stay away for `rest` milliseconds. Writes in the background. */
  tell(host: string, rest: number): void
  /** Starts receiving the rests of other engines. Calling it again does nothing. */
  begin(): void
  close(): Promise<void>
}

export interface SharedRestsOptions {
  readonly store: Store
  readonly clock: Clock
  /** Maximum rest in milliseconds; a longer one was written by an engine with a wrong clock. */
  readonly longest: number
  /** Called with the rests that other engines announced. */
  readonly onRest: (host: string, rest: number) => void
}

/** End times of the rests, by host. */
type Rests = Readonly<Record<string, number>>

const key = coordinationKeys.rests()
// A shorter rest ends before other engines receive it.
const shortest = 200
const pollInterval = 1_000
/** Maximum number of hosts; beyond it, the rests that end first are dropped. */
const maxHosts = 2_000

/**
 * Creates the exchange of the rests (in milliseconds) that hosts ask for, among all engines of a store. Rests below 200 ms are
 * not shared, and longer ones are cut to `longest`. There is one value for all hosts, written only when a host asks for a rest,
 * so ordinary pages cost nothing. Store failures are ignored: each engine then learns of rests by itself.
 */
export function sharedRests({ store, clock, longest, onRest }: SharedRestsOptions): SharedRests {
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
      onRest(host, rest)
    }
    for (const [host, until] of known) if (until <= now) known.delete(host)
  }
  return {
    tell: (host, rest) => {
      if (rest < shortest) return
      const until = clock.now() + Math.min(rest, longest)
      known.set(host, until)
      const longer = (rests: Rests): Rests => ({ ...rests, [host]: Math.max(rests[host] ?? 0, until) })
      // The store is unavailable: each engine learns of the rest by itself.
      commit.add(key, longer).catch(() => undefined)
    },
    begin: () => {
      if (watching) return
      watching = watchKey(store, key, () => void look().catch(() => undefined), { every: pollInterval })
      void watching.then(look).catch(() => undefined)
    },
    close: async () => {
      const stop = await watching
      await stop?.()
      await commit.idle()
    },
  }
}

/** Reads the rests. A damaged value counts as empty. */
function restsIn(kept: unknown): Rests {
  return isRecord(kept) ? (kept as Rests) : {}
}

function lastOf(rests: Rests, now: number, left: (until: number, now: number) => number): Rests {
  const going = Object.entries(rests).filter(([, until]) => left(until, now) > 0)
  if (going.length <= maxHosts) return Object.fromEntries(going)
  return Object.fromEntries(going.toSorted(([, one], [, other]) => other - one).slice(0, maxHosts))
}
