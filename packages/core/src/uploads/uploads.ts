// Files that come before the request that reads them. Each has an id that cannot be guessed: having it is enough to put the
// file there, and only its team may read it.
import { randomUUID } from 'node:crypto'

import { type Clock, EngineError, type Store } from '@harvestman/ports'
import { layout } from '../records/layout.ts'

export interface Uploads {
  /** Makes a place for a file. Rejects when the team has too many that were not read. */
  open(file: ToldFile, team: string): Promise<UploadPlace>
  /** Rejects when there is no such place. */
  check(id: string): Promise<void>
  /** Puts the file there, in place of one that is. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** The file. It stays until it is forgotten, or its time has passed. */
  read(id: string, team: string): Promise<UploadedFile>
  forget(id: string, team: string): Promise<void>
}

/** What is said of a file before it comes. */
export interface ToldFile {
  readonly name: string
  readonly contentType?: string | undefined
  /** In bytes. */
  readonly size?: number | undefined
}

export interface UploadPlace {
  readonly id: string
  readonly expiresAt: string
  readonly maxBytes: number
}

export interface UploadedFile extends Omit<ToldFile, 'size'> {
  readonly bytes: Uint8Array
}

export interface UploadsOptions {
  readonly store: Store
  readonly clock: Clock
  /** The largest file, in bytes. */
  readonly maxBytes: number
}

/** How long a place is kept, in milliseconds, and how many a team may have at once. */
export const uploadLimits = { life: 15 * 60_000, places: 20 } as const

interface Place extends Omit<ToldFile, 'size'> {
  readonly team: string
  readonly expiresAt: number
}

interface Places {
  readonly all: Readonly<Record<string, number>>
}

const placeLayout = layout<Place>(1)
const placesLayout = layout<Places>(1)
const placeKey = (id: string): string => `uploads/${id}`
const bytesKey = (id: string): string => `uploads/${id}/bytes`
const teamKey = (team: string): string => `uploads/of/${team}`

export function makeUploads({ store, clock, maxBytes }: UploadsOptions): Uploads {
  const find = async (id: string): Promise<Place> => {
    const place = placeLayout.open('This upload', await store.get(placeKey(id)))
    if (!place || place.expiresAt <= clock.now()) throw noPlace()
    return place
  }
  /** Those of a team that are there still, changed. */
  const change = async (team: string, make: (all: Places['all']) => Places['all']): Promise<void> => {
    await store.update(
      teamKey(team),
      (old) => {
        const all = Object.entries(placesLayout.open('The uploads', old)?.all ?? {})
        return placesLayout.seal({ all: make(Object.fromEntries(all.filter(([, until]) => until > clock.now()))) })
      },
      { ttl: uploadLimits.life },
    )
  }
  return {
    open: async ({ name, contentType, size = 0 }, team) => {
      if (size > maxBytes) throw tooLarge(maxBytes)
      const id = randomUUID()
      const expiresAt = clock.now() + uploadLimits.life
      await change(team, (all) => {
        if (Object.keys(all).length >= uploadLimits.places) throw tooMany()
        return { ...all, [id]: expiresAt }
      })
      const place = placeLayout.seal({ team, name, expiresAt, ...(contentType !== undefined && { contentType }) })
      await store.set(placeKey(id), place, { ttl: uploadLimits.life })
      return { id, maxBytes, expiresAt: new Date(expiresAt).toISOString() }
    },
    check: async (id) => void (await find(id)),
    put: async (id, bytes) => {
      const { expiresAt } = await find(id)
      if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
      await store.set(bytesKey(id), bytes, { ttl: Math.max(1, expiresAt - clock.now()), isSpare: true })
    },
    read: async (id, team) => {
      const { team: owner, expiresAt: _, ...told } = await find(id)
      if (owner !== team) throw noPlace()
      const bytes = await store.get(bytesKey(id))
      if (bytes instanceof Uint8Array) return { ...told, bytes }
      throw new EngineError('invalid_request', 'uploadRef: no file was put there yet. Send it to its uploadUrl first.')
    },
    forget: async (id, team) => {
      await store.delete(bytesKey(id))
      await store.delete(placeKey(id))
      await change(team, (all) => Object.fromEntries(Object.entries(all).filter(([one]) => one !== id)))
    },
  }
}

function noPlace(): EngineError {
  return new EngineError('not_found', 'There is no such upload, or it has expired. Ask for another one.')
}

function tooLarge(most: number): EngineError {
  return new EngineError('invalid_request', `The file is larger than ${most} bytes, which is the most that is read.`)
}

function tooMany(): EngineError {
  const { places, life } = uploadLimits
  return new EngineError(
    'rate_limited',
    `There are ${places} uploads of this team that were not read. Read them, or wait ${life / 60_000} minutes.`,
    { details: { retryAfter: life / 1_000 } },
  )
}
