import {
  free,
  freeAlone,
  ownBytes,
  packParcel,
  type Parcel,
  unpackParcel,
  type Vault,
} from '@harvestman/ports/adapters'
import type { Json, KeepOptions, Store, Value } from '@harvestman/ports'
import { damagedRecord, newerRecord } from './layout.ts'
import { getMany } from './get-many.ts'
import { bodiesInStore, type Bodies } from './bodies.ts'
import { press, type Pressed, unpress } from './pressed.ts'
import { readAgain, type Loan, type ReadAgain, type Readable } from './read-again.ts'

/**
 * A list of segments with numbered places, from 0, written by one at a time. A segment is kept once and never changed:
 * of two writers that want the same place one wins, and the other learns of it. So the log itself says who writes: a
 * new writer adds a segment that names it, and the one before finds its next place taken.
 *
 * A store that was put back to an earlier state has lost the end of its logs, and a writer that does not know it adds
 * segments beyond the gap. So a segment names its writer and the writer of the segment before it: one that does not
 * follow the segment before it belongs to a lost history, and is replaced.
 */
export interface Log {
  read(place: number): Promise<Segment | undefined>
  /** Several at once, in the order of the places. */
  readMany(places: readonly number[]): Promise<readonly (Segment | undefined)[]>
  /** Keeps a segment, and tells whether the place is this writer's: also when it had kept the same one before. */
  append(place: number, segment: NewSegment): Promise<boolean>
  /** Returns the key of a segment in the store. */
  key(place: number): string
  /** Deletes the segments of these places that this writer has added, from the last to the first. */
  cut(from: number, end: number, by: string): Promise<void>
  /** Another log, whose keys begin with those of this one: it is gone when this one is. */
  beside(name: string): Log
}

/** Part of a log: what happened, as JSON, and the bytes that belong to it. */
export interface Segment {
  readonly head: unknown
  /** Its writer, where the log names writers. */
  readonly by?: string | undefined
  /** The writer of the segment before it, if there was one. */
  readonly after?: string | undefined
  /** The bytes, ready to be sent as they are. They are kept compressed, and expanded when first asked for; others may read them, too. */
  body(): Promise<Uint8Array>
  /** Gives the body back: it is not read any more. */
  free(): void
}

/** Segment to write to a log, in one step. */
export interface NewSegment {
  readonly head: Json | object
  /** Its writer: another name each time that a log is taken over. */
  readonly by?: string | undefined
  /** The writer of the segment before it, if there is one. */
  readonly after?: string | undefined
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

/** Kit for opening a log, beside its store. */
export interface LogKit {
  /** Nothing stays in memory without it. */
  readonly segments?: SegmentsInMemory | undefined
  /** Storage of the bodies of its segments; the store, when absent. */
  readonly bodies?: Bodies | undefined
  /** The last known writer. Segments in memory are those of this history: another one may have replaced some. */
  readonly history?: string | undefined
  /** Encrypts the credentials in the heads of its segments. */
  readonly vault?: Vault | undefined
}

/** Returns whether a segment can follow one by this writer. */
export function follows({ after }: Pick<Segment, 'after'>, by: string | undefined): boolean {
  return after === undefined || by === undefined || after === by
}

/** Opens a log; there is nothing to close. `keep.ttl` is what is left of its life, so it is asked for each time. */
export function openLog(store: Store, name: string, keep: () => KeepOptions, kit: LogKit = {}): Log {
  const { segments: memory = segmentsInMemory(0), bodies = bodiesInStore, history = '', vault } = kit
  const keyOf = (place: number): string => `${name}/log/${place}`
  const inMemory = (place: number): string => `${history} ${keyOf(place)}`
  const readMany = async (places: readonly number[]): Promise<readonly (Segment | undefined)[]> => {
    const loans = await memory.take(places.map(inMemory), async (wanted) => {
      const keys = wanted.map((key) => key.slice(history.length + 1))
      const values = await getMany(store, keys)
      return values.map((value, index) =>
        value instanceof Uint8Array ? unsealed(openSegment(keys[index]!, value, bodies), vault) : undefined,
      )
    })
    return loans.map((loan, index) => loan && lentSegment(loan, () => memory.forget(inMemory(places[index]!))))
  }
  /** Whether what is at the place of a segment is of a lost history: it follows another segment than the one that is there. */
  const isLost = async (found: Uint8Array, place: number, { after }: NewSegment): Promise<boolean> => {
    const other = openSegment(keyOf(place), found, bodies)
    if (after === undefined || place === 0 || follows(other, after)) return false
    const before = await store.get(keyOf(place - 1))
    return before instanceof Uint8Array && openSegment(keyOf(place - 1), before, bodies).by === after
  }
  return {
    readMany,
    read: async (place) => (await readMany([place]))[0],
    beside: (other) => openLog(store, `${name}/${other}`, keep, kit),
    append: async (place, segment) => {
      const key = keyOf(place)
      const mine = ownBytes(
        await packSegment(sealed(segment, vault), async (pieces) => bodies.put(key, pieces, keep())),
      )
      // Compared and not remembered: an answer that was lost on the way may have been a yes.
      const isSame = (one: Value | undefined, other: Uint8Array): boolean =>
        one === other || (one instanceof Uint8Array && Buffer.compare(one, other) === 0)
      let kept = await store.update(key, (old) => old ?? mine, { ...keep(), isNew: true })
      if (kept instanceof Uint8Array && !isSame(kept, mine) && (await isLost(kept, place, segment))) {
        const found = kept
        kept = await store.update(key, (old) => (old === undefined || isSame(old, found) ? mine : old), keep())
      }
      const isMine = isSame(kept, mine)
      free(mine)
      return isMine
    },
    key: keyOf,
    cut: async (from, end, by) => {
      for (let place = end - 1; place >= from; place -= 1) {
        const key = keyOf(place)
        const isMine = (old: Value | undefined): boolean =>
          old instanceof Uint8Array && openSegment(key, old, bodies).by === by
        await store.update(key, (old) => (isMine(old) ? undefined : old))
        memory.forget(inMemory(place))
      }
    },
  }
}

function sealed(segment: NewSegment, vault: Vault | undefined): NewSegment {
  // Cast: a vault changes strings and objects of JSON for such, and nothing else.
  return vault ? { ...segment, head: vault.seal(segment.head) as NewSegment['head'] } : segment
}

function unsealed<Kept extends Segment>(segment: Kept, vault: Vault | undefined): Kept {
  return vault ? { ...segment, head: vault.open(segment.head) } : segment
}

// Segments of the first layout held the head itself. The second has the body as it is, the third as a zstd frame of so many
// bytes. In the fourth, which has either, more of the body is in other logs. The fifth has either in a file, and may be linked.
const [plain, framed, linked, filed] = [2, 3, 4, 5]

/** The bytes of a segment: its head as it is, and its body compressed where that pays. */
export async function packSegment(
  { head, body, by, after, isLinked = false }: NewSegment,
  fileOf: (pieces: readonly Uint8Array[]) => Promise<string | undefined> = async () => undefined,
): Promise<Uint8Array> {
  const pressed = await press(body)
  const pieces = pressed ? [pressed.frame] : body
  const length = pressed?.length
  const id = await fileOf(pieces)
  const inside = isLinked ? linked : pressed ? framed : plain
  const bytes =
    id === undefined
      ? packParcel({ layout: inside, length, by, after, head }, pieces)
      : packParcel({ layout: filed, length, file: { id, bytes: sizeOf(pieces) }, by, after, head }, [])
  if (pressed) freeAlone(pressed.frame)
  return bytes
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Lends a segment. A damaged one is not remembered: an operator may restore a copy. */
function lentSegment({ value, giveBack }: Loan<Segment>, forget: () => void): Segment {
  const body = (): Promise<Uint8Array> => {
    const read = value.body()
    read.catch(forget)
    // The very one that was made: who gives the body back at once is waited for.
    return read
  }
  return { head: value.head, by: value.by, after: value.after, body, free: giveBack }
}

/** Opens the segment that was kept under this key. */
export function openSegment(key: string, bytes: Uint8Array, bodies = bodiesInStore): Segment & Readable {
  const { head: sealed, body } = unpacked(key, bytes)
  const { head, length, file, by, after } = opened(key, sealed)
  const names = { head, by, after }
  if (file) return { ...names, size: length ?? file.bytes, ...filedBody(key, file.id, length, bodies) }
  const size = length ?? bytes.byteLength
  return {
    ...names,
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
  /** Bytes of the body when unpacked, where it is compressed. */
  readonly length?: number
  /** File of the body, with its size in bytes. */
  readonly file?: { readonly id: string; readonly bytes: number }
  readonly by?: string
  readonly after?: string
}

function opened(key: string, sealed: unknown): Opened {
  if (typeof sealed !== 'object' || sealed === null || !('layout' in sealed)) return { head: sealed }
  const { layout, ...rest } = sealed as Opened & { readonly layout: number }
  if (layout > filed) throw newerRecord(`The segment "${key}"`, layout, filed)
  return rest
}

type Body = Pick<Segment, 'body' | 'free'>

function plainBody(bytes: Uint8Array, body: Uint8Array): Body {
  return { body: async () => body, free: () => freeAlone(bytes) }
}

/** Read from its file when it is first asked for: who needs the head alone reads no file. */
function filedBody(key: string, id: string, length: number | undefined, bodies: Bodies): Body {
  let inside: Body | undefined
  const open = async (): Promise<Uint8Array> => {
    const bytes = await bodies.get(id)
    if (!bytes) throw damagedRecord(`the file ${id} of the segment "${key}"`)
    inside = length === undefined ? plainBody(bytes, bytes) : pressedBody(key, bytes, { frame: bytes, length })
    return inside.body()
  }
  let reading: Promise<Uint8Array> | undefined
  const free = (): void => inside?.free()
  return { body: () => (reading ??= open()), free: () => void reading?.then(free, free) }
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
