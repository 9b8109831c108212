// Where records of calls are kept: parts in the store of the engine, which processes that work on one job add to.
import { isRecord, type Json, type Store } from '@harvestman/ports'

import { recordKeys } from './keys.ts'

/** Whose record it is. */
export interface RecordName {
  readonly team: string
  readonly id: string
}

/** A part of a record that one engine writes, from one end to the other. */
export interface Segment extends RecordName {
  readonly segment: string
  readonly ttl: number
}

/** The list of what a record is made of. */
interface Head {
  readonly bytes: number
  /** The number of parts, by segment. */
  readonly parts: Readonly<Record<string, number>>
}

/** Reads and writes the parts of records. */
export interface Archive {
  /** Adds parts to a segment that has so many. Gives the bytes of the whole record. */
  add(to: Segment, before: number, parts: readonly Uint8Array[]): Promise<number>
  /** Reads what there is; nothing when there is no such record. */
  read(
    name: RecordName,
  ): Promise<{ readonly bytes: number; readonly pieces: () => AsyncGenerator<Uint8Array> } | undefined>
  delete(name: RecordName): Promise<void>
}

/** Keeps records in a store. */
export function recordArchive(store: Store): Archive {
  const headKey = ({ team, id }: RecordName): string => recordKeys.record(JSON.stringify([team, id]))
  const partKey = (name: RecordName, segment: string, part: number): string =>
    recordKeys.record(JSON.stringify([name.team, name.id, segment, part]))
  return {
    add: async (to, before, parts) => {
      const { ttl, segment } = to
      for (const [at, part] of parts.entries()) await store.set(partKey(to, segment, before + at), part, { ttl })
      const more = parts.reduce((sum, { length }) => sum + length, 0)
      let bytes = more
      const change = (old: unknown): Json => {
        const head = headOf(old)
        bytes = (head?.bytes ?? 0) + more
        return { bytes, parts: { ...head?.parts, [segment]: before + parts.length } }
      }
      // The parts first: what is listed is there.
      await store.update(headKey(to), change, { ttl })
      return bytes
    },
    read: async (name) => {
      const head = headOf(await store.get(headKey(name)))
      if (!head) return undefined
      return {
        bytes: head.bytes,
        pieces: () => piecesOf(head, (segment, part) => store.get(partKey(name, segment, part))),
      }
    },
    delete: async (name) => {
      const head = headOf(await store.get(headKey(name)))
      if (!head) return
      await store.delete(headKey(name))
      for (const [segment, part] of placesOf(head)) await store.delete(partKey(name, segment, part))
    },
  }
}

/** The parts of a record, in the order in which its segments were begun. */
function* placesOf({ parts }: Head): Generator<readonly [segment: string, part: number]> {
  for (const segment of Object.keys(parts).toSorted())
    for (let part = 0; part < (parts[segment] ?? 0); part += 1) yield [segment, part]
}

async function* piecesOf(
  head: Head,
  get: (segment: string, part: number) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  for (const [segment, part] of placesOf(head)) {
    const piece = await get(segment, part)
    // It has expired meanwhile: what is behind it would be taken for its rest.
    if (!(piece instanceof Uint8Array)) return
    yield piece
  }
}

function headOf(value: unknown): Head | undefined {
  if (!isRecord(value) || typeof value['bytes'] !== 'number' || !isRecord(value['parts'])) return undefined
  const parts = Object.entries(value['parts']).filter((pair): pair is [string, number] => typeof pair[1] === 'number')
  return { bytes: value['bytes'], parts: Object.fromEntries(parts) }
}
