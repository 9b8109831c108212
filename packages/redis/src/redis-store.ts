import { createHash } from 'node:crypto'

import { expiryOf, isLive, keyLocks, notAList, packValue, unpackValue, type Packed } from '@harvestman/ports/stores'
import { openCalls, type Calls } from '@harvestman/toolbox/calls'
import {
  type Clock,
  type KeepOptions,
  type KeptEntry,
  listedKeys,
  type Store,
  type UpdateOptions,
  type Value,
} from '@harvestman/ports'

import { tagged } from './cluster.ts'
import { checkAddress } from './check-address.ts'
import { openLink, type Link, type RedisConnection } from './client.ts'
import { envelopeHead, openEnvelope } from './envelope.ts'
import { redisClosed } from './errors.ts'
import { listingOn, type Listing } from './listing.ts'
import { makePut, type PutRow } from './put.ts'
import { watchRedis } from './watch.ts'

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /** Prefix of all keys, so that the server can be used for other data too. Default: `harvestman:`. */
  readonly prefix?: string
  /** Maximum time in milliseconds to wait for the connection, and again for the response. Default: 10,000. */
  readonly timeout?: number
  /** Clock for expiry. By default the clock of the server is used, so that differences between hosts do not matter. */
  readonly clock?: Pick<Clock, 'now'>
}

// Milliseconds. With a caller's clock, the ttl of the server is only for cleaning up.
const slack = 60_000
// A longer value is compared by its hash, so that it is not sent back to the server.
const maxComparedBytes = 200
const scanned = 64

/**
 * Stores values in Redis or Valkey, version 6.0 or later, shared by all processes that use the server and the prefix. The
 * server must not evict keys (`maxmemory-policy noeviction`), or jobs lose their progress. Connects when it is first used.
 * Failures of Redis reject with `store_failed`, calls after `close` with `closed`. Throws `invalid_request` for an address that
 * is no URL or client.
 */
export function redisStore(address: RedisConnection, options: RedisStoreOptions = {}): Store {
  checkAddress('redisStore', address)
  const { timeout = 10_000, clock } = options
  const prefix = tagged(address, options.prefix ?? 'harvestman:')
  const link = openLink(address, timeout, prefix)
  const names = namesIn(prefix)
  const kit: Kit = { link, names, listing: listingOn(link, prefix), times: timesBy(clock), clock }
  const watched = watchRedis(() => openLink(address, timeout, prefix), names)
  const calls = openCalls(() => redisClosed('store'))
  return {
    reach: 'shared',
    ...readsOf(kit, calls.run),
    ...writesOf(kit, calls.run),
    watch: (key, changed) => calls.run(() => watched.watch(key, changed)),
    generation: () => link.generation,
    async close() {
      await calls.close()
      watched.close()
      link.close()
    },
  }
}

interface Kit {
  readonly link: Link
  readonly names: Names
  readonly listing: Listing
  readonly times: Times
  readonly clock: RedisStoreOptions['clock']
}

function readsOf({ link, names, listing, times, clock }: Kit, run: Calls['run']) {
  return {
    get: (key) => run(async () => times.open(key, await link.run((redis) => redis.getBuffer(names.of(key))))?.value),
    getMany: (keys) =>
      run(async () => {
        if (keys.length === 0) return []
        const all = await link.run((redis) => redis.mgetBuffer(...keys.map(names.of)))
        return keys.map((key, index) => times.open(key, all[index])?.value)
      }),
    // With a caller's clock the expiry time is inside the value, so `has` cannot be answered without it.
    ...(!clock && {
      has: (keys: readonly string[]) =>
        run(async () => {
          const found = await link.run((redis) => Promise.all(keys.map((key) => redis.exists(names.of(key)))))
          return found.map((count) => count === 1)
        }),
    }),
    list: (wanted, part) => run(() => listing.list(wanted, part, times.open)),
    async *scan(beginning) {
      let cursor = '0'
      do {
        const from = cursor
        const [next, found] = await run(() =>
          link.run((redis) => redis.scan(from, 'MATCH', names.pattern(beginning), 'COUNT', scanned)),
        )
        cursor = next
        if (found.length > 0) yield await run(() => entriesOf(found, link, { names, times }))
      } while (cursor !== '0')
    },
  } satisfies Partial<Store>
}

function writesOf(kit: Kit, run: Calls['run']) {
  const { link, names, listing, times, clock } = kit
  const putMany = makePut(link)
  const put = (key: string, row: PutRow): Promise<unknown> =>
    key.startsWith(listedKeys) ? listing.write(key, (redis) => redis.harvestmanPut(1, ...row)) : putMany(row)
  const drop = (key: string): Promise<unknown> =>
    listing.write(key, (redis) => Promise.all([redis.del(names.of(key)), redis.publish(names.of(key), '')]))
  // Calls of this process for one key run sequentially: otherwise they would only conflict with each other.
  const locks = keyLocks()
  return {
    set: (key, value, options) =>
      run(async () => {
        const life = times.life(options)
        const sealed = seal(packValue(key, value), times.expires(options))
        await locks.write<unknown>(key, () =>
          life === expired ? drop(key) : put(key, [names.of(key), sealed, String(life)]),
        )
      }),
    update: (key, change, options) =>
      run(() => locks.write(key, () => update({ key, name: names.of(key), change, options, kit }))),
    add: (key, items, options) =>
      run(async () => {
        const life = times.life(options)
        const head = envelopeHead({ packed: '', expires: times.expires(options) })
        const again = options?.ttl === undefined || !clock ? '' : head
        const text = packValue(key, items) as string
        const parameters = [text, head, String(life), String(clock?.now() ?? ''), again] as const
        const isDone = await locks.write(key, () =>
          listing.write(key, (redis) => redis.harvestmanAdd(names.of(key), ...parameters)),
        )
        if (isDone === 0) throw notAList(key)
      }),
    delete: (key) =>
      run(async () => {
        await locks.write(key, () => drop(key))
      }),
  } satisfies Partial<Store>
}

interface Names {
  of(key: string): string
  keyOf(name: string): string
  /** Returns a pattern that matches the names of all keys with this prefix. */
  pattern(beginning: string): string
}

function namesIn(prefix: string): Names {
  return {
    of: (key) => prefix + key,
    keyOf: (name) => name.slice(prefix.length),
    pattern: (beginning) => `${(prefix + beginning).replaceAll(/[\\*?[\]^]/g, String.raw`\$&`)}*`,
  }
}

// A value without any lifetime is not written.
const expired = '-'

interface Times {
  /** Returns the expiry time stored with the value; `Infinity` if the server's clock is used. */
  expires(options: KeepOptions | undefined, old?: number): number
  /** Returns the ttl for the server in milliseconds; empty if none was given. */
  life(options: KeepOptions | undefined): number | '' | typeof expired
  open(key: string, kept: Buffer | null | undefined): { readonly value: Value; readonly expires: number } | undefined
  /** Returns the remaining lifetime in milliseconds, if only the value contains it. */
  left(expires: number): number
}

function timesBy(clock: Pick<Clock, 'now'> | undefined): Times {
  return {
    expires: (options, old = Infinity) => (clock ? expiryOf(clock.now(), options, old) : Infinity),
    life: (options) => {
      const ttl = options?.ttl
      if (ttl === undefined || ttl === Infinity) return ''
      // Also true for `NaN`.
      return ttl > 0 ? Math.ceil(ttl) + (clock ? slack : 0) : expired
    },
    open: (key, kept) => {
      if (!kept) return undefined
      const { packed, expires } = openEnvelope(key, kept)
      if (clock && !isLive(expires, clock.now())) return undefined
      return { value: unpackValue(packed), expires }
    },
    left: (expires) => (clock ? expires - clock.now() : Infinity),
  }
}

interface Update {
  readonly key: string
  readonly name: string
  readonly change: (old: Value | undefined) => Value | undefined
  readonly options: UpdateOptions | undefined
  readonly kit: Kit
}

async function update({
  key,
  name,
  change,
  options,
  kit: { link, listing, times },
}: Update): Promise<Value | undefined> {
  for (let isNew = options?.isNew === true; ; isNew = false) {
    const stored = isNew ? null : await link.run((redis) => redis.getBuffer(name))
    const old = times.open(key, stored)
    const value = change(old?.value)
    const life = times.life(options)
    const isDrop = value === undefined || life === expired
    // Nothing was read, so a change that writes nothing must first read the value.
    if (isNew && isDrop) continue
    if (value === old?.value) return value
    const sealed = isDrop ? '' : seal(packValue(key, value), times.expires(options, old?.expires))
    // Without a ttl, keep the current one. An expired value has no ttl to keep.
    const keep = options?.ttl === undefined && old ? '' : life === '' ? '0' : String(life)
    const isWritten = await listing.write(key, (redis) =>
      redis.harvestmanReplace(name, ...seen(stored), isDrop ? 'drop' : 'set', sealed, keep),
    )
    if (isWritten === 1) return value
  }
}

function seen(kept: Buffer | null): readonly [string, string | Buffer] {
  if (!kept) return ['none', '']
  if (kept.length <= maxComparedBytes) return ['is', kept]
  return ['sha', createHash('sha1').update(kept).digest('hex')]
}

function seal(packed: Packed, expires: number): string | Buffer {
  const head = envelopeHead({ packed, expires })
  return typeof packed === 'string' ? head + packed : Buffer.concat([Buffer.from(head), packed])
}

async function entriesOf(
  found: readonly string[],
  link: Link,
  { names, times }: { readonly names: Names; readonly times: Times },
): Promise<readonly KeptEntry[]> {
  const [all, lives] = await link.run((redis) =>
    Promise.all([redis.mgetBuffer(...found), Promise.all(found.map((name) => redis.pttl(name)))]),
  )
  return found.flatMap((name, index) => {
    const key = names.keyOf(name)
    const opened = times.open(key, all[index])
    if (!opened) return []
    const ttl = Math.min(times.left(opened.expires), (lives[index] ?? -1) < 0 ? Infinity : (lives[index] ?? 0))
    return [{ key, value: opened.value, ...(ttl < Infinity && { ttl }) }]
  })
}
