import {
  areStored,
  damagedRecord,
  getMany,
  isDamagedRecord,
  isNewerRecord,
  layout,
  openSegment,
} from '@harvestman/coordination'
import type { Json, Store } from '@harvestman/ports'
import { jobState, type JobState, type KeptState } from './state.ts'
import type { JobStorage } from './storage.ts'

/** State of a strategy, stored in parts: the next worker of the job restores them and reads only the newer end of the log. */
export interface StateInParts {
  /**
   * Returns the changes since the last call: parts, which are written once, and the small state in full. They must follow from
   * folded facts only, because other facts might never be stored.
   */
  take(): TakenState
  /** Restores the state, instead of folding the facts that the parts contain. */
  restore(small: Json, parts: KeptParts): Promise<void>
}

/** Changes since the last snapshot, to be stored. */
export interface TakenState {
  readonly small: Json
  readonly parts: readonly StatePart[]
}

/** A part of a snapshot. Parts of one name are read in the order in which they were written. */
export interface StatePart {
  readonly name: string
  /** The content, in chunks. Called when the part is written: its result must not depend on facts that were folded since. */
  readonly bytes: () => readonly Uint8Array[]
  /** True if this part contains everything of the earlier parts with this name. */
  readonly replaces?: boolean
}

/** The stored parts, by name and in order. */
export interface KeptParts {
  /** Reads all parts of a name, in batches. */
  all(name: string): AsyncIterable<Uint8Array>
  /** Returns one reader for each part of a name. */
  later(name: string): readonly (() => Promise<Uint8Array>)[]
}

/** Keys of the stored parts, grouped by name. */
export type PartNames = Readonly<Record<string, readonly string[]>>

/** State of a job at the end of a segment of its log. It is derived from the log and rebuilt if it is lost. */
export interface Snapshot {
  readonly state: KeptState
  readonly small: Json
  readonly parts: PartNames
}

export const snapshotLayout = layout<Snapshot>(1, { state: 'record', parts: 'record' })

/** Returns the store key of the snapshot of a job. */
export function snapshotKey(name: string): string {
  return `${name}/snapshot`
}

/** Returns the store key of a snapshot part of a job. */
export function partKey(name: string, part: string): string {
  return `${name}/parts/${part}`
}

/** Restored state of a job: a strategy restored from the parts, and the state after which reading the log continues. */
export interface Restored<T> {
  readonly strategy: T
  readonly state: JobState
  readonly parts: PartNames
}

/**
 * Opens a strategy from its last snapshot. Without a snapshot, or if it is damaged, incomplete or from a newer version, the
 * strategy is new and the log must be read from the beginning. Rejects if the store fails.
 */
export async function openRestored<T extends { readonly inParts?: StateInParts | undefined }>(
  open: () => T | Promise<T>,
  { name, log }: JobStorage,
  store: Store,
): Promise<Restored<T>> {
  const strategy = await open()
  const stored = strategy.inParts && (await store.get(snapshotKey(name)))
  try {
    const snapshot = snapshotLayout.open('the snapshot of a job', stored)
    // The store may have lost the end of the log, and another history may have been written since.
    const last = snapshot && (await log.read(snapshot.state.places - 1))
    if (snapshot && last && last.by === snapshot.state.by && (await isComplete(log, snapshot.state.places, store))) {
      await strategy.inParts?.restore(snapshot.small, storedParts(snapshot.parts, name, store))
      return { strategy, state: jobState(snapshot.state), parts: snapshot.parts }
    }
  } catch (error) {
    if (!isDamagedRecord(error) && !isNewerRecord(error)) throw error
  }
  return { strategy: await open(), state: jobState(), parts: {} }
}

/**
 * Returns whether the log has no gap before the end of a snapshot: segments after a gap were written before a worker noticed
 * that its store had gone back. Not checked for stores that would have to read every segment for this.
 */
async function isComplete(log: JobStorage['log'], places: number, store: Store): Promise<boolean> {
  if (!store.has) return true
  const keys = Array.from({ length: places }, (_, place) => log.key(place))
  return (await areStored(store, keys)).every(Boolean)
}

const readAhead = 32

function storedParts(names: PartNames, job: string, store: Store): KeptParts {
  const read = async (parts: readonly string[]): Promise<Uint8Array[]> => {
    const keys = parts.map((part) => partKey(job, part))
    const values = await getMany(store, keys)
    return Promise.all(
      values.map((value, index) => {
        if (value instanceof Uint8Array) return openSegment(keys[index]!, value).body()
        throw damagedRecord(`the part "${keys[index]}"`)
      }),
    )
  }
  return {
    all: async function* (name) {
      const parts = names[name] ?? []
      for (let at = 0; at < parts.length; at += readAhead) yield* await read(parts.slice(at, at + readAhead))
    },
    later: (name) => (names[name] ?? []).map((part) => async () => (await read([part]))[0]!),
  }
}
