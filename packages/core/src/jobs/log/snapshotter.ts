import { packSegment } from '@harvestman/coordination'
import type { Store } from '@harvestman/ports'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { Entry } from './facts.ts'
import {
  partKey,
  snapshotKey,
  snapshotLayout,
  type PartNames,
  type Snapshot,
  type StateInParts,
  type TakenState,
} from './snapshot.ts'
import type { JobState, KeptState } from './state.ts'
import type { JobStorage } from './storage.ts'

/** Writes incremental snapshots of a running job. */
export interface Snapshotter {
  /** Must be called with entries before they are folded. Returns whether the entries must begin a new segment. */
  add(entries: readonly Entry[]): boolean
  /** Must be called with entries once they are stored and applied to the state. */
  stored(entries: readonly Entry[]): void
  /** Writes a last snapshot if it is worth it. Call it when every added entry is either stored or dropped. */
  close(): Promise<void>
}

export interface SnapshotterOptions {
  readonly storage: JobStorage
  readonly state: JobState
  readonly inParts: StateInParts | undefined
  readonly store: Store
  /** Names of the parts that existed when the run began. */
  readonly parts: PartNames
  /** Number of pages since these parts were written. */
  readonly pages: number
}

/** Number of pages between two snapshots. A page larger than 64 KB counts as several. */
const enough = 400
/** Minimum number of pages for a snapshot at the end of a run. */
const little = 50
const pageBytes = 65_536
/** Number of pages that an entry counts as if no page comes with it: usually a list of URLs. */
const noteWeight = 16

/**
 * Creates the snapshotter of a run, which writes one about every 400 pages; none if the strategy does not support them
 * (`inParts`). A failed write is retried after the next segment.
 */
export function makeSnapshotter({ storage, state, inParts, store, parts, pages }: SnapshotterOptions): Snapshotter {
  const added = { facts: 0, documents: 0 }
  const storedUntil = { facts: 0, documents: 0 }
  let names = parts
  let weight = pages
  /**
   * `taken` is a state of the strategy with entries that are not stored yet; `unwritten` is one that is ready to be written.
   */
  let taken: (TakenState & { readonly at: typeof added }) | undefined
  let unwritten: (TakenState & { readonly state: KeptState }) | undefined
  let writing: Promise<void> | undefined

  const take = (strategy: StateInParts): void => {
    weight = 0
    taken = { ...strategy.take(), at: { ...added } }
  }
  const write = async (): Promise<void> => {
    while (unwritten) {
      names = await writeSnapshot(unwritten, names, storage, store)
      unwritten = undefined
    }
  }
  // If the store fails, writing is retried after the next segment.
  const writeSoon = (): void => {
    writing ??= write()
      .catch(() => undefined)
      .finally(() => (writing = undefined))
  }
  const settle = (): void => {
    if (taken && taken.at.facts === storedUntil.facts) {
      // A page whose document the store rejected is stored as failed, but the strategy knows it as done: drop this snapshot.
      if (taken.at.documents === storedUntil.documents) unwritten = { ...taken, state: state.copy() }
      taken = undefined
    }
    if (unwritten) writeSoon()
  }
  return {
    add: (entries) => {
      const isDue = inParts !== undefined && weight >= enough && !taken && !unwritten
      if (isDue) {
        take(inParts)
        settle()
      }
      countInto(added, entries)
      weight += weightOf(entries)
      return isDue
    },
    stored: (entries) => {
      countInto(storedUntil, entries)
      settle()
    },
    close: async () => {
      await writing
      if (inParts && !unwritten && state.tally.status === 'scraping' && weight >= little) {
        take(inParts)
        settle()
      }
      await writing
    },
  }
}

function countInto(sum: { facts: number; documents: number }, entries: readonly Entry[]): void {
  sum.facts += entries.length
  for (const { fact } of entries) if (fact.is === 'page') sum.documents += 1
}

function weightOf(entries: readonly Entry[]): number {
  let pages = 0
  for (const { fact } of entries) {
    if (fact.is === 'page') pages += Math.max(fact.bytes / pageBytes, 1)
    if (fact.is === 'failed' || fact.is === 'dropped') pages += 1
  }
  return pages > 0 ? pages : entries.length * noteWeight
}

/**
 * Writes the parts first, then the record that names them. Part keys contain the log position at which they end. No two writers
 * of a log end a segment at the same position, so none overwrites another's parts.
 */
async function writeSnapshot(
  { state, small, parts }: TakenState & { readonly state: KeptState },
  before: PartNames,
  { name, keep }: JobStorage,
  store: Store,
): Promise<PartNames> {
  const names: Record<string, readonly string[]> = { ...before }
  for (const [index, { name: kind, bytes, replaces = false }] of parts.entries()) {
    const part = `${state.places}-${index}`
    await store.set(partKey(name, part), await packSegment({ head: null, body: bytes() }), keep())
    names[kind] = replaces ? [part] : [...(names[kind] ?? []), part]
    await nextTurn()
  }
  await store.set(snapshotKey(name), snapshotLayout.seal({ state, small, parts: names } satisfies Snapshot), keep())
  return names
}
