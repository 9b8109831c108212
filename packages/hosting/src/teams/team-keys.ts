import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

import type { TeamLimits } from '@harvestman/core'
import { addToList, check, layout, combineLimits } from '@harvestman/core/plugin'
import type { Clock, Store } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import { hostingKeys } from '../keys.ts'
import type { Rights } from './groups.ts'
import type { Team } from './team.ts'
import { newKeySchema, type KeptScopes, type NewKey } from './words.ts'

/** Metadata of a key, without the key itself. */
export interface TeamKey {
  readonly id: string
  readonly team: string
  readonly name?: string | undefined
  /** First characters of the key, to recognize it. */
  readonly prefix: string
  readonly scopes: KeptScopes
  readonly limits: TeamLimits
  readonly createdAt: string
  readonly expiresAt?: string | undefined
  readonly revokedAt?: string | undefined
  /** When it was last used, within about a minute. */
  readonly lastUsedAt?: string | undefined
}

/** Owner and permissions of a verified key. */
export interface KnownKey {
  readonly team: string
  readonly key: string
  readonly scopes: KeptScopes
  /** Limits of the team, with the concurrency limits of the key where they are lower. */
  readonly limits: TeamLimits
  /** Limits of the key alone. */
  readonly ownLimits: TeamLimits
}

export interface Keys {
  create(team: Team, options?: NewKey): Promise<{ readonly key: string; readonly info: TeamKey }>
  list(team: string): Promise<readonly TeamKey[]>
  revoke(team: string, id: string): Promise<boolean>
  verify(key: string): Promise<KnownKey | undefined>
}

interface KeptKey extends TeamKey {
  readonly hash: string
}

const records = layout<KeptKey>(1, { id: 'text', team: 'text', hash: 'text' })
const keyPattern = /^hm_([\w-]{16})_([\w-]{43})$/

// Milliseconds that a verified key is cached, and thus the longest that a revoked key still works.
const believedFor = 1_000
const maxCachedKeys = 10_000
const usedEvery = 60_000

/**
 * Creates the functions for API keys of teams. Only hashes of keys are stored, so a key is readable only when it is created.
 * `create` rejects with `invalid_request` for invalid options; `verify` resolves to `undefined` for an unknown, expired or
 * revoked key (within a second), and `revoke` to false if the team has no such key or it was revoked before. Calls reject if
 * the store fails or a record is damaged.
 */
export function makeKeys(
  store: Store,
  clock: Clock,
  findTeam: (id: string) => Promise<Team | undefined>,
  rights: Rights,
): Keys {
  const read = async (id: string): Promise<KeptKey | undefined> => records.open('The key', await store.get(keyOf(id)))
  return {
    verify: makeVerify(store, clock, findTeam, read),
    create: async (team, options = {}) => {
      const { name, scopes = {}, limits = {}, expiresAt } = rights.key(check(newKeySchema, options))
      // Hex, so that the id never begins with a dash, which commands would read as an option.
      const id = randomBytes(8).toString('hex')
      const secret = randomBytes(32).toString('base64url')
      const info: TeamKey = {
        id,
        team: team.id,
        prefix: `hm_${id.slice(0, 6)}`,
        scopes,
        limits,
        createdAt: new Date(clock.now()).toISOString(),
        ...(name && { name }),
        ...(expiresAt && { expiresAt }),
      }
      await store.set(keyOf(id), records.seal({ ...info, hash: digestOf(secret) }))
      await addToList(store, listOf(team.id), [id])
      return { key: `hm_${id}_${secret}`, info }
    },
    list: async (team) => {
      const ids = ((await store.get(listOf(team))) as readonly string[] | undefined) ?? []
      const keys = await Promise.all(ids.map(read))
      return keys.flatMap((key) => (key ? [withoutHash(key)] : []))
    },
    revoke: async (team, id) => {
      let isFirst = false
      await store.update(keyOf(id), (old) => {
        const record = records.open('The key', old)
        isFirst = record !== undefined && record.team === team && record.revokedAt === undefined
        return isFirst && record ? records.seal({ ...record, revokedAt: new Date(clock.now()).toISOString() }) : old
      })
      return isFirst
    },
  }
}

function makeVerify(
  store: Store,
  clock: Clock,
  findTeam: (id: string) => Promise<Team | undefined>,
  read: (id: string) => Promise<KeptKey | undefined>,
): Keys['verify'] {
  // Recently verified keys, by hash: a busy caller costs one store read per second.
  const believed = recentlyUsed<string, { readonly known: KnownKey; readonly until: number }>(maxCachedKeys)

  const noteUse = async ({ id, lastUsedAt }: KeptKey): Promise<void> => {
    const now = clock.now()
    if (lastUsedAt !== undefined && Math.abs(now - Date.parse(lastUsedAt)) < usedEvery) return
    await store.update(keyOf(id), (old) => {
      const record = records.open('The key', old)
      return record && records.seal({ ...record, lastUsedAt: new Date(now).toISOString() })
    })
  }

  return async (text) => {
    const [, id, secret] = keyPattern.exec(text) ?? []
    if (id === undefined || secret === undefined) return undefined
    const digest = digestOf(secret)
    const recent = believed.get(digest)
    const now = clock.now()
    // If the clock was set back, the cached entry must not outlive its limit.
    if (recent && recent.until > now && recent.until <= now + believedFor) return recent.known
    const record = await read(id)
    if (!record || !isSame(record.hash, digest) || !isGood(record, now)) return undefined
    const team = await findTeam(record.team)
    if (!team) return undefined
    const known = {
      team: team.id,
      key: id,
      scopes: record.scopes,
      limits: combineLimits(team.limits, record.limits),
      ownLimits: record.limits,
    }
    const expires = record.expiresAt === undefined ? Infinity : Date.parse(record.expiresAt)
    believed.set(digest, { known, until: Math.min(clock.now() + believedFor, expires) })
    // `lastUsedAt` is informational, so a failure to store it must not fail the request.
    await noteUse(record).catch(() => undefined)
    return known
  }
}

// The secret has 256 random bits, so a single fast hash is enough against guessing.
function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function isGood({ revokedAt, expiresAt }: KeptKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > now)
}

function withoutHash(kept: KeptKey): TeamKey {
  const { hash: _, ...info } = kept
  return info
}

function keyOf(id: string): string {
  return hostingKeys.key(id)
}

function listOf(team: string): string {
  return hostingKeys.keysOfTeam(JSON.stringify(team))
}
