import { areStored } from '@harvestman/coordination'
import { isRecord, type KeepOptions, type Store, type Value } from '@harvestman/ports'
import type { Entry } from './facts.ts'
import type { JobState } from './state.ts'
import type { JobStorage } from './storage.ts'

/** Outcome of a write: the record was replaced, another writer owns it, or the store is in an earlier state. */
export type Fenced = 'replaced' | 'superseded' | 'went back'

/** Replaces a record that has a single writer, but only if this writer also made its previous version. */
export interface Fence {
  /** `make` receives the number of this write. The record must contain it as `saves`, and the writer as `by`. */
  replace(key: string, make: (saves: number) => Value, options: KeepOptions): Promise<Fenced>
}

/**
 * Creates a fence for the writer `by`. Its first write replaces any record. Later ones replace only its own previous record,
 * and otherwise resolve to the reason and change nothing. `replace` rejects if the store fails.
 */
export function makeFence(store: Store, by: string): Fence {
  let [written, tried] = [0, 0]
  const outcomeFor = (old: Value | undefined): Fenced => {
    if (!isRecord(old)) return 'went back'
    // A write whose response was lost may have succeeded, so the record may be newer than the last confirmed write.
    const { by: writer, saves = 0 } = old
    if (written === 0 || (writer === by && Number(saves) >= written)) return 'replaced'
    return writer === by || writer === undefined ? 'went back' : 'superseded'
  }
  return {
    replace: async (key, make, options) => {
      tried += 1
      const saves = tried
      let outcome: Fenced = 'replaced'
      const change = (old: Value | undefined): Value | undefined => {
        outcome = outcomeFor(old)
        return outcome === 'replaced' ? make(saves) : old
      }
      await store.update(key, change, options)
      if (outcome === 'replaced') written = saves
      return outcome
    },
  }
}

/** Checks that the store still has the log segments that this run wrote, and the documents they refer to. */
export interface LogCheck {
  /** Must be called with the entries of a segment once it is the last one of the state. */
  stored(entries: readonly Entry[]): void
  /** Makes the next check start at the first segment. */
  restart(): void
  /** Returns the first lost position before `end`, among those not checked yet. */
  firstLost(end: number): Promise<number | undefined>
}

/** A document in a secondary log that a log segment refers to. */
interface Linked {
  readonly place: number
  readonly log: string
  readonly at: number
}

/**
 * Creates a check of the log of a run, which finds the first segment that the store has lost. `firstLost` rejects if the store
 * fails.
 */
export function makeLogCheck({ log }: JobStorage, state: JobState, store: Store): LogCheck {
  // Starts with the segment that made this run the writer.
  let checked = Math.max(state.places - 1, 0)
  let linked: Linked[] = []
  return {
    stored: (entries) => {
      const place = state.places - 1
      for (const { fact } of entries)
        if (fact.is === 'page' && fact.kept) linked.push({ place, log: fact.kept.log, at: fact.kept.place })
    },
    restart: () => {
      checked = 0
    },
    firstLost: async (end) => {
      const own = Array.from({ length: Math.max(end - checked, 0) }, (_, ahead) => checked + ahead)
      const needed = [
        ...own.map((place) => ({ place, key: log.key(place) })),
        ...linked.map(({ place, log: name, at }) => ({ place, key: log.beside(name).key(at) })),
      ]
      const there = await areStored(
        store,
        needed.map(({ key }) => key),
      )
      const lost = needed.filter((_, index) => there[index] !== true).map(({ place }) => place)
      if (lost.length > 0) return Math.min(...lost)
      checked = Math.max(checked, end)
      linked = linked.filter(({ place }) => place >= end)
      return undefined
    },
  }
}
