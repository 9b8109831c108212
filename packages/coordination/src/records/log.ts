import { free, freeAlone, ownBytes } from '@harvestman/ports/values'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { packParcel, type Parcel, unpackParcel } from '@harvestman/toolbox/parcel'
import type { Vault } from '@harvestman/toolbox/sealed'
import type { Json, KeepOptions, Store, Value } from '@harvestman/ports'
import { damagedRecord, newerRecord } from './layout.ts'
import { getMany } from './get-many.ts'
import { bodiesInStore, type Bodies } from './bodies.ts'
import { withCompressed, type CompressedFrame, decompressFrame } from './compression.ts'
import { makeReadCache, type Loan, type ReadCache, type Readable } from './read-cache.ts'

/**
 * An append-only list of segments, numbered from 0, with one writer at a time. A segment never changes: if two writers append
 * at the same position, one wins and the other notices. So the log itself determines the writer: a new one appends a segment
 * with its name, and the previous one finds its next position taken.
 *
 * A store that was restored to an earlier state has lost the end of its logs, and a writer that does not know this appends
 * segments after the gap. Therefore a segment names its writer and the writer of the segment before it. A segment that does not
 * match its predecessor belongs to a lost history and is replaced.
 */
export interface Log {
  read(place: number): Promise<Segment | undefined>
  /** Reads several segments at once, in the order of `places`. */
  readMany(places: readonly number[]): Promise<readonly (Segment | undefined)[]>
  /** Stores a segment. Resolves to true if the position is this writer's, also if it had stored the same segment before. */
  append(place: number, segment: NewSegment): Promise<boolean>
  /** Returns the key of a segment in the store. */
  key(place: number): string
  /** Deletes this writer's segments from position `from` to before `end`, last to first. */
  cut(from: number, end: number, by: string): Promise<void>
  /** Returns another log whose key prefix begins with the key of this one, so that both are deleted together. */
  beside(name: string): Log
}

/** A segment of a log: a JSON head, and the bytes that belong to it. */
export interface Segment {
  readonly head: unknown
  /** Its writer, if the log names writers. */
  readonly by?: string | undefined
  /** The writer of the previous segment, if any. */
  readonly after?: string | undefined
  /**
   * Returns the body, ready to be sent. It is stored compressed, and expanded at the first call. Must not be changed: it may be
   * shared with other readers.
   */
  body(): Promise<Uint8Array>
  /** Releases the body: the caller no longer reads it. */
  free(): void
}

/** A segment to append. */
export interface NewSegment {
  readonly head: Json | object
  /** Its writer: a new name each time that a log is taken over. */
  readonly by?: string | undefined
  /** The writer of the previous segment, if any. */
  readonly after?: string | undefined
  /** The body, in chunks. */
  readonly body: readonly Uint8Array[]
  /** The head refers to other logs with more of the body. Versions that do not support this reject the segment. */
  readonly isLinked?: boolean
}

/** Cache for segments of all logs that are read repeatedly. */
export type SegmentsInMemory = ReadCache<Segment & Readable>

/** Creates a cache of at most this many bytes of expanded segments, filled when a segment is read the second time. */
export function segmentsInMemory(bytes: number): SegmentsInMemory {
  return makeReadCache(bytes)
}

/** Options for opening a log. */
export interface LogKit {
  /** Cache; nothing is cached when absent. */
  readonly segments?: SegmentsInMemory | undefined
  /** Storage of the bodies; the store when absent. */
  readonly bodies?: Bodies | undefined
  /** The last known writer. Cached segments belong to this history: another writer may have replaced some. */
  readonly history?: string | undefined
  /** Encrypts the credentials in the heads. */
  readonly vault?: Vault | undefined
}

/** Returns whether a segment can follow a segment of this writer. True if either is unknown. */
export function canFollow({ after }: Pick<Segment, 'after'>, by: string | undefined): boolean {
  return after === undefined || by === undefined || after === by
}

// Length in bytes of a segment that takes about a millisecond to parse.
const longSegment = 262_144

/**
 * Opens a log; it need not be closed. `keep` is called for each write, because the ttl in it is the remaining lifetime. Reading
 * gives `undefined` for an absent segment. Calls reject if the store fails, for a damaged segment (`store_failed`), and with
 * `newer_version`.
 */
export function openLog(store: Store, name: string, keep: () => KeepOptions, kit: LogKit = {}): Log {
  const { segments: memory = segmentsInMemory(0), bodies = bodiesInStore, history = '', vault } = kit
  const keyOf = (place: number): string => `${name}/log/${place}`
  const inMemory = (place: number): string => `${history} ${keyOf(place)}`
  const readMany = async (places: readonly number[]): Promise<readonly (Segment | undefined)[]> => {
    const loans = await memory.take(places.map(inMemory), async (wanted) => {
      const keys = wanted.map((key) => key.slice(history.length + 1))
      const values = await getMany(store, keys)
      const opened: (ReturnType<typeof openSegment> | undefined)[] = []
      for (const [index, value] of values.entries()) {
        const isSegment = value instanceof Uint8Array
        opened.push(isSegment ? unsealed(openSegment(keys[index]!, value, bodies), vault) : undefined)
        // Long lists of facts are parsed one in each turn of the event loop.
        if (isSegment && value.length > longSegment) await nextTurn()
      }
      return opened
    })
    return loans.map((loan, index) => loan && lentSegment(loan, () => memory.forget(inMemory(places[index]!))))
  }
  /**
   * Returns whether the stored segment belongs to a lost history: it does not follow the segment at the previous position.
   */
  const isLost = async (found: Uint8Array, place: number, { after }: NewSegment): Promise<boolean> => {
    const other = openSegment(keyOf(place), found, bodies)
    if (after === undefined || place === 0 || canFollow(other, after)) return false
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
      // The stored bytes are compared, because the response of a successful write may have been lost.
      const isSame = (one: Value | undefined, other: Uint8Array): boolean =>
        one === other || (one instanceof Uint8Array && Buffer.compare(one, other) === 0)
      let current = await store.update(key, (old) => old ?? mine, { ...keep(), isNew: true })
      if (current instanceof Uint8Array && !isSame(current, mine) && (await isLost(current, place, segment))) {
        const found = current
        current = await store.update(key, (old) => (old === undefined || isSame(old, found) ? mine : old), keep())
      }
      const isMine = isSame(current, mine)
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
  // Cast: a vault replaces strings and objects of JSON only by other strings and objects.
  return vault ? { ...segment, head: vault.seal(segment.head) as NewSegment['head'] } : segment
}

function unsealed<Kept extends Segment>(segment: Kept, vault: Vault | undefined): Kept {
  return vault ? { ...segment, head: vault.open(segment.head) } : segment
}

// Segments of the first layout consist of the head only. The second has the plain body, the third a zstd frame of the given
// size. The fourth has either, and other logs contain more of the body. The fifth stores either in a file, and may be linked.
const [plain, framed, linked, filed] = [2, 3, 4, 5]

/**
 * Encodes a segment: its head as JSON, and its body compressed if that saves space. `fileOf` may store the body in a file and
 * return its id; otherwise the body is part of the result. Rejects if `fileOf` does.
 */
export async function packSegment(
  { head, body, by, after, isLinked = false }: NewSegment,
  fileOf: (pieces: readonly Uint8Array[]) => Promise<string | undefined> = async () => undefined,
): Promise<Uint8Array> {
  return withCompressed(body, async (pieces, length) => {
    const id = await fileOf(pieces)
    const inside = isLinked ? linked : length === undefined ? plain : framed
    return id === undefined
      ? packParcel({ layout: inside, length, by, after, head }, pieces)
      : packParcel({ layout: filed, length, file: { id, bytes: sizeOf(pieces) }, by, after, head }, [])
  })
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Returns a cached segment to a reader. A damaged one is not cached, because an operator may restore a copy. */
function lentSegment({ value, release }: Loan<Segment>, forget: () => void): Segment {
  const body = (): Promise<Uint8Array> => {
    const read = value.body()
    read.catch(forget)
    // Returns the original promise: a reader may call `free` while it is pending.
    return read
  }
  return { head: value.head, by: value.by, after: value.after, body, free: release }
}

/**
 * Decodes the segment that was stored under this key. Throws `store_failed` if its head is damaged, or `newer_version` if its
 * layout is newer. Its body is read and checked only on demand: `body` rejects with `store_failed` if it is damaged or its file
 * is missing.
 */
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
  /** Bytes of the expanded body, if it is compressed. */
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

/** Reads the body from its file at the first call: a reader of the head alone reads no file. */
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

function pressedBody(key: string, bytes: Uint8Array, pressed: CompressedFrame): Body {
  let held = bytes
  let isExpanding = false
  let reading: Promise<Uint8Array> | undefined
  const read = async (): Promise<Uint8Array> => {
    isExpanding = true
    try {
      held = await decompressFrame(pressed)
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
    // A helper thread may still be reading these bytes.
    free: () => (isExpanding ? void reading?.then(free, free) : free()),
  }
}
