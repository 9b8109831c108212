import { free, freeAlone, ownBytes, packParcel, type Parcel, unpackParcel } from '@harvestman/ports/adapters'
import type { Json, KeepOptions, Store } from '@harvestman/ports'
import { damagedRecord, newerRecord } from './layout.ts'
import { getMany } from './get-many.ts'
import { press, type Pressed, unpress } from './pressed.ts'
import { readAgain, type Loan, type ReadAgain, type Readable } from './read-again.ts'

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
  /** Another log, whose keys begin with those of this one: it is gone when this one is. */
  beside(name: string): Log
}

/** What happened, as JSON; and bytes that belong to it. */
export interface Segment {
  readonly head: unknown
  /** The bytes, ready to be sent as they are. They are kept compressed, and expanded when first asked for; others may read them, too. */
  body(): Promise<Uint8Array>
  /** Gives the body back: it is not read any more. */
  free(): void
}

/** What is written to a log in one step. */
export interface NewSegment {
  readonly head: Json | object
  /** The body, in pieces. */
  readonly body: readonly Uint8Array[]
  /** Its head says where in logs beside this one there is more of the body: versions that know of none refuse it. */
  readonly isLinked?: boolean
}

/** Segments that are read again and again, of all logs. */
export type SegmentsInMemory = ReadAgain<Segment & Readable>

/** Keeps at most so many bytes of segments that were read a second time, expanded. */
export function segmentsInMemory(bytes: number): SegmentsInMemory {
  return readAgain(bytes)
}

/** Opens a log; there is nothing to close. `keep.ttl` is what is left of its life, so it is asked for each time. */
export function openLog(
  store: Store,
  name: string,
  keep: () => KeepOptions,
  memory: SegmentsInMemory = segmentsInMemory(0),
): Log {
  const keyOf = (place: number): string => `${name}/log/${place}`
  const readMany = async (places: readonly number[]): Promise<readonly (Segment | undefined)[]> => {
    const loans = await memory.take(places.map(keyOf), async (keys) => {
      const values = await getMany(store, keys)
      return values.map((value, index) => (value instanceof Uint8Array ? openSegment(keys[index]!, value) : undefined))
    })
    return loans.map((loan, index) => loan && lentSegment(loan, () => memory.forget(keyOf(places[index]!))))
  }
  return {
    readMany,
    read: async (place) => (await readMany([place]))[0],
    beside: (other) => openLog(store, `${name}/${other}`, keep, memory),
    append: async (place, segment) => {
      const mine = ownBytes(await packSegment(segment))
      const kept = await store.update(keyOf(place), (old) => old ?? mine, { ...keep(), isNew: true })
      // Compared and not remembered: an answer that was lost on the way may have been a yes.
      const isMine = kept === mine || (kept instanceof Uint8Array && Buffer.compare(kept, mine) === 0)
      free(mine)
      return isMine
    },
  }
}

// Segments of the first layout held the head itself. The second has the body as it is, the third as a zstd frame of so many
// bytes. In the fourth, which has either, more of the body is in other logs.
const [plain, framed, linked] = [2, 3, 4]

/** The bytes of a segment: its head as it is, and its body compressed where that pays. */
export async function packSegment({ head, body, isLinked = false }: NewSegment): Promise<Uint8Array> {
  const pressed = await press(body)
  if (!pressed) return packParcel({ layout: isLinked ? linked : plain, head }, body)
  const { frame, length } = pressed
  const bytes = packParcel({ layout: isLinked ? linked : framed, length, head }, [frame])
  freeAlone(frame)
  return bytes
}

/** What is damaged is not remembered: an operator may restore a copy. */
function lentSegment({ value, giveBack }: Loan<Segment>, forget: () => void): Segment {
  const body = (): Promise<Uint8Array> => {
    const read = value.body()
    read.catch(forget)
    // The very one that was made: who gives the body back at once is waited for.
    return read
  }
  return { head: value.head, body, free: giveBack }
}

/** What was kept as a segment under this key. */
export function openSegment(key: string, bytes: Uint8Array): Segment & Readable {
  const { head: sealed, body } = unpacked(key, bytes)
  const { head, length } = opened(key, sealed)
  const size = length ?? bytes.byteLength
  return {
    head,
    size,
    ...(length === undefined ? plainBody(bytes, body) : pressedBody(key, bytes, { frame: body, length })),
  }
}

function unpacked(key: string, bytes: Uint8Array): Parcel<unknown> {
  try {
    return unpackParcel<unknown>(bytes)
  } catch (cause) {
    throw damagedRecord(`the segment "${key}"`, cause)
  }
}

interface Opened {
  readonly head: unknown
  /** How many bytes the body has, where it is compressed. */
  readonly length?: number
}

function opened(key: string, sealed: unknown): Opened {
  if (typeof sealed !== 'object' || sealed === null || !('layout' in sealed)) return { head: sealed }
  const { layout, length, head } = sealed as Opened & { readonly layout: number }
  if (layout > linked) throw newerRecord(`The segment "${key}"`, layout, linked)
  return length === undefined ? { head } : { head, length }
}

type Body = Omit<Segment, 'head'>

function plainBody(bytes: Uint8Array, body: Uint8Array): Body {
  return { body: async () => body, free: () => freeAlone(bytes) }
}

function pressedBody(key: string, bytes: Uint8Array, pressed: Pressed): Body {
  let held = bytes
  let isExpanding = false
  let reading: Promise<Uint8Array> | undefined
  const read = async (): Promise<Uint8Array> => {
    isExpanding = true
    try {
      held = await unpress(pressed)
      freeAlone(bytes)
      return held
    } catch (cause) {
      throw damagedRecord(`the segment "${key}"`, cause)
    } finally {
      isExpanding = false
    }
  }
  const free = (): void => freeAlone(held)
  return {
    body: () => (reading ??= read()),
    // A helper thread may still read what is to be freed.
    free: () => (isExpanding ? void reading?.then(free, free) : free()),
  }
}
