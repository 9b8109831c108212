// The cookies in the state of a browser, such as that of a profile.
import type { Json } from '@harvestman/ports'
import { keyOf, type CookieChange, type StoredCookie } from './cookies.ts'

type Values = Readonly<Record<string, Json | undefined>>

/** Returns the cookies of a state. Omits those that are not of a known form, and those of one top-level site only. */
export function cookiesIn(state: Json | undefined): readonly StoredCookie[] {
  return entriesOf(state).flatMap((entry) => toCookie(entry) ?? [])
}

/** Returns a state with the changes of its cookies, or `undefined` if they change nothing. */
export function withChanges(state: Json | undefined, changes: readonly CookieChange[]): Json | undefined {
  const before = entriesOf(state)
  const known = new Map(before.map((entry, index) => [keyOf(toCookie(entry) ?? other(index)), entry]))
  let isChanged = false
  for (const { cookie, isDeleted } of changes) {
    const key = keyOf(cookie)
    const old = known.get(key)
    const same = toCookie(old)
    if (isDeleted ? !known.delete(key) : same && isSame(same, cookie)) continue
    isChanged = true
    if (!isDeleted) known.set(key, { ...attributesOf(old), ...cookie })
  }
  return isChanged ? { ...objectOf(state), cookies: [...known.values()] } : undefined
}

/** A key for an entry that is not a known cookie. */
function other(index: number) {
  return { name: '', domain: '', path: String(index) }
}

function isSame(one: StoredCookie, two: StoredCookie): boolean {
  return (
    one.value === two.value &&
    one.secure === two.secure &&
    one.httpOnly === two.httpOnly &&
    one.sameSite === two.sameSite &&
    // Browsers and hosts round to different fractions of a second.
    Math.abs(one.expires - two.expires) < 2
  )
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
