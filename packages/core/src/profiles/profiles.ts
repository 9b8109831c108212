import { randomUUID } from 'node:crypto'

import { layout } from '@harvestman/coordination'
import { type Clock, EngineError, type Json, type Store } from '@harvestman/ports'
import { isSealed } from '@harvestman/toolbox/sealed'
import { storeKeys } from '../keys.ts'
import type { LoggedInMarker, Profiles, ProfileSummary } from '../plugin/profiles.ts'

interface ProfilesKit {
  readonly store: Store
  readonly clock: Clock
  /** Locks a key. Resolves to `undefined` if it is locked already. */
  readonly lock: (key: string) => Promise<(() => Promise<void>) | undefined>
}

/** The field of a record that has the cookies and storage, which the store encrypts. */
export const stateField = 'browserState'

/** Timeout of the lock in milliseconds. A scrape holds it only while it saves, a live browser until it ends. */
const lockWait = 500
const lockInterval = 50
const never = new AbortController().signal

const life = 365 * 86_400_000
interface ProfileRecord {
  readonly [stateField]: Json
  readonly version: string
  readonly loggedInMarker?: LoggedInMarker | undefined
}

const profileLayout = layout<ProfileRecord>(2, {})
const summaryLayout = layout<ProfileSummary>(1, { name: 'text', savedAt: 'number', size: 'number' })

/** Maximum number of profiles of a team. */
const maxProfiles = 100
/** Maximum size of a state as JSON, in characters. */
const maxSize = 5_000_000

/**
 * Opens the browser profiles of teams. A profile expires a year after it was last saved; the state of an unknown one is
 * `undefined`. Opening to write and removing reject with `conflict` while another writer uses the profile, and opening rejects
 * with `not_configured` if it was encrypted with another key. Calls reject if the store fails.
 */
export function makeProfiles({ store, clock, lock }: ProfilesKit): Profiles {
  const keyOf = (team: string, name: string): string => storeKeys.profile(`${team}/${name}`)
  const prefixOf = (team: string): string => storeKeys.profileOfTeam(`${encodeURIComponent(team)}/`)
  const list: Profiles['list'] = async (team) => {
    // Engines that save at the same time may exceed the limit.
    const found = await store.list(prefixOf(team), { limit: 2 * maxProfiles })
    return found.flatMap(({ value }) => summaryLayout.openWhole('The list of profiles', value) ?? [])
  }
  const lockOne = async (team: string, name: string): Promise<() => Promise<void>> => {
    for (let waited = 0; ; waited += lockInterval) {
      const unlock = await lock(storeKeys.profileLock(`${team}/${name}`))
      if (unlock) return unlock
      if (waited >= lockWait) throw busy(name)
      await clock.sleep(lockInterval, never)
    }
  }
  return {
    open: async (team, name, mayWrite) => {
      const unlock = mayWrite ? await lockOne(team, name) : undefined
      try {
        const record = profileLayout.open(`The profile ${name}`, await store.get(keyOf(team, name)))
        const state = record?.[stateField]
        if (isSealed(state)) throw unreadable(name)
        if (record && state === undefined) throw outdated(name)
        if (!record && mayWrite && (await list(team)).length >= maxProfiles) throw tooMany()
        return {
          state,
          version: record?.version,
          loggedInMarker: record?.loggedInMarker,
          save: async (next, loggedInMarker = record?.loggedInMarker) => {
            if (!mayWrite) return
            const size = JSON.stringify(next).length
            if (size > maxSize) throw tooLarge(size)
            const saved = { [stateField]: next, version: randomUUID(), ...(loggedInMarker && { loggedInMarker }) }
            await store.set(keyOf(team, name), profileLayout.seal(saved), { ttl: life })
            const summary = summaryLayout.seal({ name, savedAt: clock.now(), size })
            await store.set(`${prefixOf(team)}${encodeURIComponent(name)}`, summary, { ttl: life })
          },
          close: async () => unlock?.(),
        }
      } catch (error) {
        await unlock?.()
        throw error
      }
    },
    list,
    remove: async (team, name) => {
      const unlock = await lockOne(team, name)
      try {
        await store.delete(keyOf(team, name))
        await store.delete(`${prefixOf(team)}${encodeURIComponent(name)}`)
      } finally {
        await unlock()
      }
    },
  }
}

function busy(name: string): EngineError {
  return new EngineError(
    'conflict',
    `The profile "${name}" is in use by another writer. Stop that live browser, or set saveChanges: false.`,
  )
}

function tooMany(): EngineError {
  return new EngineError('conflict', `The team has ${maxProfiles} profiles, which is the limit. Delete one.`)
}

function tooLarge(size: number): EngineError {
  return new EngineError(
    'response_too_large',
    `The profile has ${size} characters of JSON; the limit is ${maxSize}. Clear the storage of its pages.`,
  )
}

function outdated(name: string): EngineError {
  return new EngineError(
    'conflict',
    `The profile "${name}" was saved by a development version that stored profiles in another way. Delete it, and log in again.`,
  )
}

function unreadable(name: string): EngineError {
  return new EngineError(
    'not_configured',
    `The profile "${name}" was encrypted with another key. Set the key that was used then (secretKey, HARVESTMAN_SECRET_KEY), or delete the profile.`,
  )
}
