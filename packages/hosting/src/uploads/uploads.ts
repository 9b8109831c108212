// Files that come before the request that reads them. Each has an id that cannot be guessed: having it is enough to put the
// file there, and only its team may read it.
import { randomUUID } from 'node:crypto'

import { layout } from '@harvestman/core/plugin'
import { type Clock, EngineError, type Json, type Store, type Value } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'

/** Files that were sent before the request that reads them, of all teams of an engine. */
export interface Uploads {
  /** Makes a place for a file. Rejects when the team has too many that were not read. */
  open(file: ToldFile, team: string): Promise<UploadPlace>
  /** Rejects when there is no such place. */
  check(id: string): Promise<void>
  /** Puts the file there, in place of one that is. Rejects when files that wait have too many bytes with this one. */
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

/** Where a file is to be put. */
export interface UploadPlace {
  readonly id: string
  readonly expiresAt: string
  readonly maxBytes: number
}

/** A file that was put there. */
export interface UploadedFile extends Omit<ToldFile, 'size'> {
  readonly bytes: Uint8Array
}

export interface UploadsOptions {
  readonly store: Store
  readonly clock: Clock
  /** The largest file, in bytes. */
  readonly maxBytes: number
  /** The most that files which wait may have together, in bytes. */
  readonly allBytes: number
}

/** How long a place is kept, in milliseconds, and how many a team may have at once. */
export const uploadLimits = { life: 15 * 60_000, places: 20 } as const

interface Place extends Omit<ToldFile, 'size'> {
  readonly team: string
  readonly expiresAt: number
}

interface Places {
  /** Until when each is kept. */
  readonly all: Readonly<Record<string, number>>
  /** How large the file is that was put there. */
  readonly sizes?: Readonly<Record<string, number>>
}

/** What the files of each team have together, and until when the last of them is kept. */
interface Sums {
  readonly teams: Readonly<Record<string, { readonly bytes: number; readonly until: number }>>
}

/** Of what all teams may have, the part that one may. */
const shareOfTeam = 1 / 4

const placeLayout = layout<Place>(1, { team: 'text', expiresAt: 'number' })
const placesLayout = layout<Places>(1, { all: 'record' })
const placeKey = (id: string): string => hostingKeys.upload(id)
const bytesKey = (id: string): string => hostingKeys.upload(`${id}/bytes`)
const sumsLayout = layout<Sums>(1, { teams: 'record' })
const sumsKey = hostingKeys.uploadSums()
const teamKey = (team: string): string => hostingKeys.uploadsOfTeam(team)

export function makeUploads(options: UploadsOptions): Uploads {
  const { store, clock, maxBytes } = options
  const room = makeRoom(options)
  const find = async (id: string): Promise<Place> => {
    const place = placeLayout.open('This upload', await store.get(placeKey(id)))
    if (!place || place.expiresAt <= clock.now()) throw noPlace()
    return place
  }
  return {
    open: async ({ name, contentType, size = 0 }, team) => {
      if (size > maxBytes) throw tooLarge(maxBytes)
      const id = randomUUID()
      const expiresAt = clock.now() + uploadLimits.life
      await room.open(id, team, { size, expiresAt })
      const place = placeLayout.seal({ team, name, expiresAt, ...(contentType !== undefined && { contentType }) })
      await store.set(placeKey(id), place, { ttl: uploadLimits.life })
      return { id, maxBytes, expiresAt: new Date(expiresAt).toISOString() }
    },
    check: async (id) => void (await find(id)),
    put: async (id, bytes) => {
      const { expiresAt, team } = await find(id)
      if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
      await room.take(id, team, bytes.byteLength)
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
      await room.free(id, team)
    },
  }
}

/** What the files of all teams take, and what may still come. */
function makeRoom({ store, clock, maxBytes, allBytes }: UploadsOptions) {
  // A file that is not too large by itself can be sent.
  const mostOfAll = Math.max(allBytes, maxBytes)
  const mostOfTeam = Math.max(allBytes * shareOfTeam, maxBytes)
  /** Those of a team that are there still, changed. Gives the bytes that they have. */
  const change = async (team: string, make: (places: Required<Places>) => Places): Promise<number> => {
    let bytes = 0
    await store.update(
      teamKey(team),
      (old) => {
        const made = make(living(placesLayout.open('The uploads', old), clock.now()))
        bytes = sumOf(Object.values(made.sizes ?? {}))
        return placesLayout.seal(made)
      },
      { ttl: uploadLimits.life },
    )
    return bytes
  }
  /** Notes what a team has. Rejects when it is more than before, and too much for all. */
  const noteSum = async (team: string, bytes: number): Promise<void> => {
    const now = clock.now()
    const note = (old: Value | undefined): Json => {
      const { [team]: before, ...others } = sumsLayout.open('The uploads', old)?.teams ?? {}
      const teams = Object.fromEntries(Object.entries(others).filter(([, { until }]) => until > now))
      const isOver = sumOf(Object.values(teams).map((one) => one.bytes)) + bytes > mostOfAll
      if (isOver && bytes > (before?.bytes ?? 0)) throw noRoom(mostOfAll, 'all teams')
      return sumsLayout.seal({
        teams: bytes > 0 ? { ...teams, [team]: { bytes, until: now + uploadLimits.life } } : teams,
      })
    }
    await store.update(sumsKey, note, { ttl: uploadLimits.life })
  }
  return {
    /** Makes a place. Rejects when the team has too many, or no room for so many bytes. */
    open: (id: string, team: string, { size, expiresAt }: { readonly size: number; readonly expiresAt: number }) =>
      change(team, ({ all, sizes }) => {
        if (Object.keys(all).length >= uploadLimits.places) throw tooMany()
        if (sumOf(Object.values(sizes)) + size > mostOfTeam) throw noRoom(mostOfTeam, 'this team')
        return { all: { ...all, [id]: expiresAt }, sizes }
      }),
    /** Notes how large the file is. Rejects when there is no room for it. */
    take: async (id: string, team: string, size: number): Promise<void> => {
      let before: number | undefined
      const sum = await change(team, ({ all, sizes }) => {
        before = sizes[id]
        const next = { ...sizes, [id]: size }
        if (sumOf(Object.values(next)) > mostOfTeam) throw noRoom(mostOfTeam, 'this team')
        return { all, sizes: next }
      })
      try {
        await noteSum(team, sum)
      } catch (error) {
        await change(team, ({ all, sizes }) => ({
          all,
          sizes: { ...without(sizes, id), ...(before !== undefined && { [id]: before }) },
        }))
        throw error
      }
    },
    free: async (id: string, team: string): Promise<void> => {
      const left = await change(team, ({ all, sizes }) => ({ all: without(all, id), sizes: without(sizes, id) }))
      await noteSum(team, left)
    },
  }
}

/** Without those whose time has passed. */
function living({ all = {}, sizes = {} }: Partial<Places> = {}, now: number): Required<Places> {
  const live = Object.entries(all).filter(([, until]) => until > now)
  const left = Object.fromEntries(live)
  return { all: left, sizes: Object.fromEntries(Object.entries(sizes).filter(([id]) => id in left)) }
}

function without(numbers: Readonly<Record<string, number>>, id: string): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(numbers).filter(([one]) => one !== id))
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

function noPlace(): EngineError {
  return new EngineError('not_found', 'There is no such upload, or it has expired. Ask for another one.')
}

function tooLarge(most: number): EngineError {
  return new EngineError('invalid_request', `The file is larger than ${most} bytes, which is the most that is read.`)
}

function noRoom(most: number, whose: string): EngineError {
  const { life } = uploadLimits
  return new EngineError(
    'rate_limited',
    `Uploads of ${whose} that were not read may have ${Math.floor(most)} bytes together, and with this one they have more. Read some, or wait ${life / 60_000} minutes.`,
    { details: { retryAfter: life / 1_000 } },
  )
}

function tooMany(): EngineError {
  const { places, life } = uploadLimits
  return new EngineError(
    'rate_limited',
    `There are ${places} uploads of this team that were not read. Read them, or wait ${life / 60_000} minutes.`,
    { details: { retryAfter: life / 1_000 } },
  )
}
