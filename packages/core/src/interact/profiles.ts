import { type Clock, EngineError, type Json, type Store } from '@harvestman/ports'
import { heartbeat } from '../lib/heartbeat.ts'
import { layout } from '../records/layout.ts'
import { lease, leaseWatch } from '../records/lease.ts'

/** What a browser keeps between sessions, by name. Any number may read one at once, and one may write it. */
export interface Profiles {
  open(team: string, name: string, mayWrite: boolean): Promise<OpenProfile>
  remove(team: string, name: string): Promise<void>
}

export interface OpenProfile {
  readonly state: Json | undefined
  /** Keeps another state. Does nothing for a profile that was opened to be read. */
  save(state: Json): Promise<void>
  close(): Promise<void>
}

export interface ProfileOptions {
  readonly store: Store
  readonly clock: Clock
  readonly owner: string
  readonly isGone: (owner: string) => boolean
}

const life = 365 * 86_400_000
const lockTime = 30_000
const kept = layout<{ readonly state: Json }>(1)

export function makeProfiles({ store, clock, owner, isGone }: ProfileOptions): Profiles {
  const watch = leaseWatch(clock)
  const keyOf = (team: string, name: string): string => `profiles/${team}/${name}`

  const lock = async (team: string, name: string): Promise<() => Promise<void>> => {
    const key = `profile-locks/${team}/${name}`
    const held = await lease(store, key, { owner, ttl: lockTime, watch, isGone })
    if (!held) throw busy(name)
    const stopBeating = heartbeat(() => held.renew(), lockTime / 3)
    return async () => {
      stopBeating()
      await held.release()
    }
  }

  return {
    open: async (team, name, mayWrite) => {
      const unlock = mayWrite ? await lock(team, name) : undefined
      const record = kept.open(`The profile ${name}`, await store.get(keyOf(team, name)))
      return {
        state: record?.state,
        save: async (state) => {
          if (mayWrite) await store.set(keyOf(team, name), kept.seal({ state }), { ttl: life })
        },
        close: async () => unlock?.(),
      }
    },
    remove: async (team, name) => {
      const unlock = await lock(team, name)
      await store.delete(keyOf(team, name))
      await unlock()
    },
  }
}

function busy(name: string): EngineError {
  return new EngineError(
    'conflict',
    `Another live browser writes the profile "${name}". Stop it, or open the profile with saveChanges: false.`,
  )
}
