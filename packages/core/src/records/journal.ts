import type { KeepOptions, Store } from '../ports/store.ts'
import type { Value } from '../ports/value.ts'
import { once } from './once.ts'

/**
 * An append-only list whose entries have numbered places, from 0. An entry is JSON, or bytes that are ready to be sent:
 * those are kept and read as they are. Which key a place is kept under is known to this file only, so that full runs of
 * places can be packed into segments without a change for anybody else.
 */
export interface Journal {
  /** Resolves to the place once the entry is kept. The same `id` again gets the same place, and changes nothing. */
  append(entry: Value, options?: { readonly id?: string }): Promise<number>
  read(options: ReadOptions): Promise<Reading>
  /** How many places were given. */
  length(): Promise<number>
}

export interface ReadOptions {
  readonly from: number
  readonly limit: number
  /**
   * A place can be given and its entry not be there: the writer is about to keep it, or has died. Readers wait at such
   * a hole while anybody may still write, and step over it when the writing has ended.
   */
  readonly holes: 'wait' | 'step over'
}

export interface Reading {
  readonly entries: readonly Placed[]
  /** Where to read on. */
  readonly next: number
  /** Nothing is left behind `next`: neither an entry nor a hole. */
  readonly isEnd: boolean
}

export interface Placed {
  readonly place: number
  readonly entry: Value
}

/** Opens a journal; there is nothing to close. `keep.ttl` is what is left of the journal's life, so give it anew each time. */
export function journal(store: Store, name: string, keep?: KeepOptions): Journal {
  const lengthKey = `${name}/length`
  const placeKey = (place: number) => `${name}/place/${place}`

  const length = async () => ((await store.get(lengthKey)) as number | undefined) ?? 0

  const takePlace = async () => {
    const taken = await store.update(lengthKey, (old) => ((old as number | undefined) ?? 0) + 1, keep)
    return (taken as number) - 1
  }
  // The id is bound to its place before the entry is written: a writer that dies in between leaves a hole, and whoever
  // does its task again fills it.
  const placeOf = async (id: string | undefined) =>
    id === undefined ? takePlace() : (await once(store, `${name}/id/${id}`, takePlace, keep)).value

  return {
    length,
    async append(entry, { id } = {}) {
      const place = await placeOf(id)
      if (id === undefined) await store.set(placeKey(place), entry, keep)
      else await once(store, placeKey(place), () => entry, keep)
      return place
    },
    async read({ from, limit, holes }) {
      const total = await length()
      const end = Math.min(from + limit, total)
      const places = Array.from({ length: Math.max(end - from, 0) }, (_, index) => from + index)
      const values = await getMany(store, places.map(placeKey))
      const entries: Placed[] = []
      for (const [index, place] of places.entries()) {
        const entry = values[index]
        if (entry !== undefined) entries.push({ place, entry })
        else if (holes === 'wait') return { entries, next: place, isEnd: false }
      }
      const next = Math.max(from, end)
      return { entries, next, isEnd: next >= total }
    },
  }
}

function getMany(store: Store, keys: readonly string[]): Promise<readonly (Value | undefined)[]> {
  return store.getMany?.(keys) ?? Promise.all(keys.map((key) => store.get(key)))
}
