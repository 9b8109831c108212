import { packSegment } from '@harvestman/coordination'
import type { Store } from '@harvestman/ports'
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

/** Writes snapshots of a running job, each of what has changed since the one before. */
export interface Snapshotter {
  /** Is told of entries before they are folded; tells whether the segments before these must hold none of them. */
  add(entries: readonly Entry[]): boolean
  /** Is told of entries that are kept, when the state has taken them in. */
  kept(entries: readonly Entry[]): void
  /** Writes what is worth it. Everything that was added is kept, or never will be. */
  close(): Promise<void>
}

export interface SnapshotterOptions {
  readonly storage: JobStorage
  readonly state: JobState
  readonly inParts: StateInParts | undefined
  readonly store: Store
  /** The parts that were there when the job was taken up. */
  readonly parts: PartNames
  /** Pages since they were written. */
  readonly pages: number
}

/** Pages of 64 KB between two snapshots, about, or fewer larger ones. */
const enough = 400
/** Less than this is not worth a snapshot when a run ends. */
const little = 50
const pageBytes = 65_536
/** Weight of a note that comes with no page: a list of addresses, mostly. */
const noteWeight = 16

export function makeSnapshotter({ storage, state, inParts, store, parts, pages }: SnapshotterOptions): Snapshotter {
  const added = { facts: 0, documents: 0 }
  const keptUntil = { facts: 0, documents: 0 }
  let names = parts
  let weight = pages
  /** State taken of the strategy, until all that it was told is kept; and then until it is written. */
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
  // A store that is away is asked again when it has taken the next segment.
  const writeSoon = (): void => {
    writing ??= write()
      .catch(() => undefined)
      .finally(() => (writing = undefined))
  }
  const settle = (): void => {
    if (taken && taken.at.facts === keptUntil.facts) {
      // A page whose document the store did not take is kept as one that failed, and the strategy knows it as done.
      if (taken.at.documents === keptUntil.documents) unwritten = { ...taken, state: state.copy() }
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
    kept: (entries) => {
      countInto(keptUntil, entries)
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
 * The parts first, then what names them. Their keys have the place in the log where they end, and no two writers of a log
 * end a segment at one place: so none writes over what another has named.
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
    await store.set(partKey(name, part), await packSegment({ head: null, body: bytes }), keep())
    names[kind] = replaces ? [part] : [...(names[kind] ?? []), part]
  }
  await store.set(snapshotKey(name), snapshotLayout.seal({ state, small, parts: names } satisfies Snapshot), keep())
  return names
}
