// The cookies in the state of a browser, such as that of a profile.
import type { Json, StoredCookie } from '@harvestman/ports'
import { isExpired, keyOf, maxOfDomain, type CookieChange } from './cookies.ts'

type Values = Readonly<Record<string, Json | undefined>>

/** Returns the cookies of a state. Omits those that are not of a known form, and those of one top-level site only. */
export function cookiesIn(state: Json | undefined): readonly StoredCookie[] {
  return entriesOf(state).flatMap((entry) => toCookie(entry) ?? [])
}

/**
 * Returns a state with the changes of its cookies, the changed ones last, or `undefined` if they change nothing. It has no
 * expired cookies, and of each domain at most the newest 180. `now` is in milliseconds since 1970.
 */
export function withChanges(state: Json | undefined, changes: readonly CookieChange[], now: number): Json | undefined {
  const known = byKey(state)
  let isChanged = false
  for (const { cookie, isDeleted } of changes) {
    const key = keyOf(cookie)
    const old = known.get(key)
    const same = toCookie(old)
    if (isDeleted ? old === undefined : same && isSame(same, cookie, now)) continue
    isChanged = true
    known.delete(key)
    if (!isDeleted) known.set(key, { ...attributesOf(old), ...cookie })
  }
  return isChanged ? { ...objectOf(state), cookies: withinLimits([...known.values()], now) } : undefined
}

/** Returns the cookies that were set or deleted between two states. A deletion has the deleted cookie. */
export function cookieChanges(before: Json | undefined, after: Json | undefined, now: number): readonly CookieChange[] {
  const [old, next] = [byKey(before), byKey(after)]
  const deleted = [...old].flatMap(([key, entry]) => {
    const cookie = toCookie(entry)
    return cookie && !next.has(key) && !isExpired(cookie.expires, now) ? [{ cookie, isDeleted: true }] : []
  })
  const set = [...next].flatMap(([key, entry]) => {
    const [cookie, same] = [toCookie(entry), toCookie(old.get(key))]
    return cookie && !(same && isSame(same, cookie, now)) ? [{ cookie, isDeleted: false }] : []
  })
  return [...deleted, ...set]
}

function byKey(state: Json | undefined): Map<string, Json> {
  return new Map(entriesOf(state).map((entry, index) => [keyOf(toCookie(entry) ?? other(index)), entry]))
}

/** Omits expired cookies, and the oldest ones of domains with too many. */
function withinLimits(entries: readonly Json[], now: number): readonly Json[] {
  const counts = new Map<unknown, number>()
  const kept = entries.toReversed().filter((entry) => {
    const { domain, expires } = objectOf(entry)
    if (typeof expires === 'number' && isExpired(expires, now)) return false
    const count = (counts.get(domain) ?? 0) + 1
    counts.set(domain, count)
    return count <= maxOfDomain
  })
  return kept.reverse()
}

/** A key for an entry that is not a known cookie. */
function other(index: number) {
  return { name: '', domain: '', path: String(index) }
}

function isSame(one: StoredCookie, two: StoredCookie, now: number): boolean {
  return (
    one.value === two.value &&
    one.secure === two.secure &&
    one.httpOnly === two.httpOnly &&
    one.sameSite === two.sameSite &&
    isSameExpiry(one.expires, two.expires, now)
  )
}

/** Many hosts renew a cookie with each page. Only a change of a quarter of the remaining time counts. */
function isSameExpiry(one: number, two: number, now: number): boolean {
  if (one < 0 || two < 0) return one < 0 && two < 0
  // Browsers and hosts round to different fractions of a second.
  return Math.abs(one - two) < Math.max(2, (Math.max(one, two) - now / 1_000) / 4)
}

/** What only the browser knows of a cookie, and that does not depend on its value. */
function attributesOf(entry: Json | undefined): Values {
  const { priority, sourceScheme, sourcePort } = objectOf(entry)
  return Object.fromEntries(
    Object.entries({ priority, sourceScheme, sourcePort }).filter(([, value]) => value !== undefined),
  )
}

const sameSites = ['Strict', 'Lax', 'None'] as const

function toCookie(entry: Json | undefined): StoredCookie | undefined {
  const { name, value, domain, path = '/', expires = -1, httpOnly, secure, sameSite, partitionKey } = objectOf(entry)
  if (typeof name !== 'string' || typeof value !== 'string' || typeof domain !== 'string' || domain === '')
    return undefined
  if (typeof path !== 'string' || typeof expires !== 'number' || partitionKey !== undefined) return undefined
  const site = sameSites.find((one) => one === sameSite)
  return {
    name,
    value,
    domain,
    path,
    expires,
    httpOnly: httpOnly === true,
    secure: secure === true,
    ...(site && { sameSite: site }),
  }
}

function entriesOf(state: Json | undefined): readonly Json[] {
  const { cookies } = objectOf(state)
  return Array.isArray(cookies) ? cookies : []
}

function objectOf(value: Json | undefined): Values {
  return isObject(value) ? value : {}
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
