import { free, freeAlone, ownBytes, packParcel, unpackParcel, type Parcel } from '@harvestman/ports/adapters'
import { EngineError, type Json, type KeepOptions, type Store } from '@harvestman/ports'
import { newerRecord } from './layout.ts'
import { getMany } from './get-many.ts'

/**
 * A list of segments with numbered places, from 0, written by one at a time. A segment is kept once and never changed:
 * of two writers that want the same place one wins, and the other learns of it. So the log itself says who writes: a
 * new writer adds a segment that names it, and the one before finds its next place taken.
 */
export interface Log {
  read(place: number): Promise<Segment | undefined>
  /** Several at once, in the order of the places. */
  readMany(places: readonly number[]): Promise<readonly (Segment | undefined)[]>
  /** Keeps a segment, and tells whether the place is this writer's: also when it had kept the same one before. */
  append(place: number, segment: NewSegment): Promise<boolean>
}

/** What happened, as JSON; and bytes that belong to it, ready to be sent as they are. They are the reader's own. */
export interface Segment extends Parcel<unknown> {
  /** Gives the memory of the body back. */
  readonly free: () => void
}

/** What is written to a log in one step. */
export interface NewSegment {
  readonly head: Json | object
  /** The body, in pieces. */
  readonly body: readonly Uint8Array[]
}

/** Opens a log; there is nothing to close. `keep.ttl` is what is left of its life, so it is asked for each time. */
export function openLog(store: Store, name: string, keep: () => KeepOptions): Log {
  const keyOf = (place: number): string => `${name}/log/${place}`
  const readMany = async (places: readonly number[]): Promise<readonly (Segment | undefined)[]> => {
    const keys = places.map(keyOf)
    const values = await getMany(store, keys)
    return values.map((value, index) => (value instanceof Uint8Array ? toSegment(keys[index]!, value) : undefined))
  }
  return {
    readMany,
    read: async (place) => (await readMany([place]))[0],
    append: async (place, { head, body }) => {
      const mine = ownBytes(packParcel({ layout: newest, head }, body))
      const kept = await store.update(keyOf(place), (old) => old ?? mine, { ...keep(), isNew: true })
      // Compared and not remembered: an answer that was lost on the way may have been a yes.
      const isMine = kept === mine || (kept instanceof Uint8Array && Buffer.compare(kept, mine) === 0)
      free(mine)
      return isMine
    },
  }
}

// Segments of the first layout held the head itself.
const newest = 2

function toSegment(key: string, bytes: Uint8Array): Segment {
  const { head, body } = unpacked(key, bytes)
  return { head: headOf(key, head), body, free: () => freeAlone(bytes) }
}

function unpacked(key: string, bytes: Uint8Array): Parcel<unknown> {
  try {
    return unpackParcel<unknown>(bytes)
  } catch (cause) {
    const message = `The store is damaged: the segment "${key}" is not as it was written.`
    throw new EngineError('store_failed', message, { cause, details: { reason: 'damaged' } })
  }
}

function headOf(key: string, head: unknown): unknown {
  if (typeof head !== 'object' || head === null || !('layout' in head)) return head
  const { layout, head: own } = head as { readonly layout: number; readonly head: unknown }
  if (layout > newest) throw newerRecord(`The segment "${key}"`, layout, newest)
  return own
}
