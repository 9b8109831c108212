// Files that are uploaded before the request that parses them. The unguessable id is the only credential for the upload; only
// the file's team may read it.
import { randomUUID } from 'node:crypto'

import { layout } from '@harvestman/core/plugin'
import { type Clock, EngineError, type Json, type Store, type Value } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'

/** Uploaded files of all teams that wait for the request that parses them. */
export interface Uploads {
  /** Reserves an upload for a file. Rejects if the team has too many unread uploads. */
  open(file: FileMetadata, team: string): Promise<UploadPlace>
  /** Rejects if there is no such upload. */
  check(id: string): Promise<void>
  /**
   * Stores the file; an existing one is replaced. Rejects if the unread files of the team, or of all teams, would exceed their
   * limit.
   */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** Returns the file. It remains until `forget`, or until it expires. */
  read(id: string, team: string): Promise<UploadedFile>
  forget(id: string, team: string): Promise<void>
}

/** Metadata of a file before its upload. */
export interface FileMetadata {
  readonly name: string
  readonly contentType?: string | undefined
  /** Size in bytes. */
  readonly size?: number | undefined
}

/** A reserved upload. */
export interface UploadPlace {
  readonly id: string
  readonly expiresAt: string
  readonly maxBytes: number
}

/** An uploaded file. */
export interface UploadedFile extends Omit<FileMetadata, 'size'> {
  readonly bytes: Uint8Array
}

export interface UploadsOptions {
  readonly store: Store
  readonly clock: Clock
  /** Maximum size of a file, in bytes. */
  readonly maxBytes: number
  /** Maximum size of all unread files together, in bytes. */
  readonly allBytes: number
}

/** Lifetime of an upload in milliseconds, and the maximum number of uploads per team. */
export const uploadLimits = { life: 15 * 60_000, places: 20 } as const

interface Place extends Omit<FileMetadata, 'size'> {
  readonly team: string
  readonly expiresAt: number
}

interface Places {
  /** Expiry times by upload id, in ms since 1970. */
  readonly all: Readonly<Record<string, number>>
  /** File sizes in bytes, by upload id. */
  readonly sizes?: Readonly<Record<string, number>>
}

/** Total size of the files of each team, and when the last of them expires. */
interface Sums {
  readonly teams: Readonly<Record<string, { readonly bytes: number; readonly until: number }>>
}

/** Fraction of `allBytes` that one team may use. */
const shareOfTeam = 1 / 4

const placeLayout = layout<Place>(1, { team: 'text', expiresAt: 'number' })
const placesLayout = layout<Places>(1, { all: 'record' })
const placeKey = (id: string): string => hostingKeys.upload(id)
const bytesKey = (id: string): string => hostingKeys.upload(`${id}/bytes`)
const sumsLayout = layout<Sums>(1, { teams: 'record' })
const sumsKey = hostingKeys.uploadSums()
const teamKey = (team: string): string => hostingKeys.uploadsOfTeam(team)

/**
 * Creates the functions for uploads: a client opens one, then sends the file, then refers to it by id. They reject with
 * `not_found` for an unknown or expired upload and for one of another team, with `invalid_request` for a file of more than
 * `maxBytes` or one that is not uploaded yet, and with `rate_limited` if the team has 20 uploads or the files exceed their
 * limit.
 */
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
      throw new EngineError(
        'invalid_request',
        'uploadRef: the file was not uploaded yet. Send it to its uploadUrl first.',
      )
    },
    forget: async (id, team) => {
      await store.delete(bytesKey(id))
      await store.delete(placeKey(id))
      await room.free(id, team)
    },
  }
}

/** Tracks the upload space of each team and of all teams. */
function makeRoom({ store, clock, maxBytes, allBytes }: UploadsOptions) {
  // A single file of the maximum size must always fit.
  const maxTotalBytes = Math.max(allBytes, maxBytes)
  const maxTeamBytes = Math.max(allBytes * shareOfTeam, maxBytes)
  /** Updates the unexpired uploads of a team. Returns the total size of their files. */
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
  /** Records the total of a team. Rejects if it grew and the total of all teams exceeds the limit. */
  const noteSum = async (team: string, bytes: number): Promise<void> => {
    const now = clock.now()
    const note = (old: Value | undefined): Json => {
      const { [team]: before, ...others } = sumsLayout.open('The uploads', old)?.teams ?? {}
      const teams = Object.fromEntries(Object.entries(others).filter(([, { until }]) => until > now))
      const isOver = sumOf(Object.values(teams).map((one) => one.bytes)) + bytes > maxTotalBytes
      if (isOver && bytes > (before?.bytes ?? 0)) throw noRoom(maxTotalBytes, 'all teams')
      return sumsLayout.seal({
        teams: bytes > 0 ? { ...teams, [team]: { bytes, until: now + uploadLimits.life } } : teams,
      })
    }
    await store.update(sumsKey, note, { ttl: uploadLimits.life })
  }
  return {
    /** Reserves an upload. Rejects if the team has too many uploads or not enough space. */
    open: (id: string, team: string, { size, expiresAt }: { readonly size: number; readonly expiresAt: number }) =>
      change(team, ({ all, sizes }) => {
        if (Object.keys(all).length >= uploadLimits.places) throw tooMany()
        if (sumOf(Object.values(sizes)) + size > maxTeamBytes) throw noRoom(maxTeamBytes, 'this team')
        return { all: { ...all, [id]: expiresAt }, sizes }
      }),
    /** Records the size of an uploaded file. Rejects if there is not enough space. */
    take: async (id: string, team: string, size: number): Promise<void> => {
      let before: number | undefined
      const sum = await change(team, ({ all, sizes }) => {
        before = sizes[id]
        const next = { ...sizes, [id]: size }
        if (sumOf(Object.values(next)) > maxTeamBytes) throw noRoom(maxTeamBytes, 'this team')
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

/** Returns the uploads that have not expired. */
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
  return new EngineError('not_found', 'This upload does not exist, or has expired. Request another one.')
}

function tooLarge(most: number): EngineError {
  return new EngineError('invalid_request', `The file is larger than the limit of ${most} bytes.`)
}

function noRoom(most: number, whose: string): EngineError {
  const { life } = uploadLimits
  return new EngineError(
    'rate_limited',
    `With this file, the unread uploads of ${whose} would exceed ${Math.floor(most)} bytes. Read some, or wait ${life / 60_000} minutes.`,
    { details: { retryAfter: life / 1_000 } },
  )
}

function tooMany(): EngineError {
  const { places, life } = uploadLimits
  return new EngineError(
    'rate_limited',
    `This team has ${places} unread uploads, which is the maximum. Read them, or wait ${life / 60_000} minutes.`,
    { details: { retryAfter: life / 1_000 } },
  )
}
