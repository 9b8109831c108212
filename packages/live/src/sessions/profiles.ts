import { type FeatureKit, layout } from '@harvestman/core/plugin'
import { EngineError, type Json } from '@harvestman/ports'
import { liveKeys } from '../keys.ts'

/** Browser states that persist between sessions, by name. A profile can have many readers but only one writer at a time. */
export interface Profiles {
  open(team: string, name: string, mayWrite: boolean): Promise<OpenProfile>
  remove(team: string, name: string): Promise<void>
}

export interface OpenProfile {
  readonly state: Json | undefined
  /** Stores a new state. Ignored for a profile that was opened read-only. */
  save(state: Json): Promise<void>
  close(): Promise<void>
}

const life = 365 * 86_400_000
const profileLayout = layout<{ readonly state: Json }>(1, {})

/**
 * Opens the stored browser profiles of teams. A profile that did not exist has no state. Opening one to write, and removing it,
 * rejects if another live browser is writing it.
 */
export function makeProfiles({ store, lock }: Pick<FeatureKit, 'store' | 'lock'>): Profiles {
  const keyOf = (team: string, name: string): string => liveKeys.profile(`${team}/${name}`)
  const lockOne = async (team: string, name: string): Promise<() => Promise<void>> => {
    const unlock = await lock(liveKeys.profileLock(`${team}/${name}`))
    if (!unlock) throw busy(name)
    return unlock
  }
  return {
    open: async (team, name, mayWrite) => {
      const unlock = mayWrite ? await lockOne(team, name) : undefined
      const record = profileLayout.open(`The profile ${name}`, await store.get(keyOf(team, name)))
      return {
        state: record?.state,
        save: async (state) => {
          if (mayWrite) await store.set(keyOf(team, name), profileLayout.seal({ state }), { ttl: life })
        },
        close: async () => unlock?.(),
      }
    },
    remove: async (team, name) => {
      const unlock = await lockOne(team, name)
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
