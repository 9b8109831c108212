import {
  areKept,
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

/** The state of a strategy in parts: the next worker of its job reads these, and of the log only what came after. */
export interface StateInParts {
  /**
   * Takes what was folded since the last call, in parts that are written once; and what is small, whole. Nothing that
   * was not folded may be in it: it would be kept though the facts that tell of it may never be.
   */
  take(): TakenState
  /** Takes the place of folding all that is in the parts. */
  restore(small: Json, parts: KeptParts): Promise<void>
}

export interface TakenState {
  readonly small: Json
  readonly parts: readonly StatePart[]
}

export interface StatePart {
  readonly name: string
  readonly bytes: readonly Uint8Array[]
  /** It has all that the parts before it have under this name. */
  readonly replaces?: boolean
}

/** The parts that were kept, by name and in their order. */
export interface KeptParts {
  /** All of a name, some read at a time. */
  all(name: string): AsyncIterable<Uint8Array>
  /** The parts of a name, each read when it is called for. */
  later(name: string): readonly (() => Promise<Uint8Array>)[]
}

/** Names of the parts, by the name of what is in them. */
export type PartNames = Readonly<Record<string, readonly string[]>>

/** State of a job at the end of a segment of its log. It follows from the log, and is made anew where it is lost. */
export interface Snapshot {
  readonly state: KeptState
  readonly small: Json
  readonly parts: PartNames
}

export const snapshotLayout = layout<Snapshot>(1, { state: 'record', parts: 'record' })

export function snapshotKey(name: string): string {
  return `${name}/snapshot`
}

export function partKey(name: string, part: string): string {
  return `${name}/parts/${part}`
}

/** Restored state of a job: a strategy that knows what is in the parts, and the state that its log is read on from. */
export interface Restored<T> {
  readonly strategy: T
  readonly state: JobState
  readonly parts: PartNames
}

/** Opens a strategy with its last snapshot; without one that is whole, its log has to be read from the beginning. */
export async function openRestored<T extends { readonly inParts?: StateInParts | undefined }>(
  open: () => T,
  { name, log }: JobStorage,
  store: Store,
): Promise<Restored<T>> {
  const strategy = open()
  const kept = strategy.inParts && (await store.get(snapshotKey(name)))
  try {
    const snapshot = snapshotLayout.open('the snapshot of a job', kept)
    // The store may have lost the end of the log, and another history may have been written since.
    const last = snapshot && (await log.read(snapshot.state.places - 1))
    if (snapshot && last && last.by === snapshot.state.by && (await isWhole(log, snapshot.state.places, store))) {
      await strategy.inParts?.restore(snapshot.small, keptParts(snapshot.parts, name, store))
      return { strategy, state: jobState(snapshot.state), parts: snapshot.parts }
    }
  } catch (error) {
    if (!isDamagedRecord(error) && !isNewerRecord(error)) throw error
  }
  return { strategy: open(), state: jobState(), parts: {} }
}

/**
 * Whether the log has no gap before the end of a snapshot: what a worker writes before it notices that its store went back
 * is beyond one. A store that cannot tell without reading the values is not asked.
 */
async function isWhole(log: JobStorage['log'], places: number, store: Store): Promise<boolean> {
  if (!store.has) return true
  const keys = Array.from({ length: places }, (_, place) => log.key(place))
  return (await areKept(store, keys)).every(Boolean)
}

const readAhead = 32

function keptParts(names: PartNames, job: string, store: Store): KeptParts {
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
