import { isUtf8 } from 'node:buffer'

import { EngineError, type Fetcher, type Guard, type WireRequest, type WireResponse } from '@harvestman/ports'
import { makeCookies, type Cookies } from './cookies.ts'
import { isSafeAcrossOrigins } from './headers.ts'
import { refreshTarget } from './refresh.ts'

/** A request whose redirects are followed. */
export interface FollowRequest extends WireRequest {
  /** Names of the headers that a caller set. When absent, all headers count as set by the caller. */
  readonly ownHeaders?: readonly string[]
}

/** Options for following redirects. */
export interface FollowOptions {
  /** Maximum number of redirects. */
  readonly limit?: number
  /** Cookies of an earlier request of the same scrape. */
  readonly cookies?: Cookies
  /** Also follows `Refresh` headers and `<meta>` tags that act as redirects. */
  readonly followsRefresh?: boolean
  /** Rejects if a redirect may not lead to this URL; called before anything is sent there. */
  readonly mayVisit?: ((url: URL) => Promise<void>) | undefined
}

/** A response after redirects. */
export interface Followed extends WireResponse {
  /** URL of the response, without user name and password. */
  readonly url: URL
}

const maxRedirects = 20
const maxRefreshes = 5
const maxLocationLength = 8_192

/**
 * Fetches a URL and follows redirects as a browser does, by default at most 20. Rejects with `too_many_redirects` beyond that,
 * with `bad_response` for an invalid redirect, and with the errors of the guard and the fetcher. They are followed here and not
 * by the fetcher, because a public host may redirect to a private one, so the guard must check each URL.
 */
export async function fetchFollowing(
  fetcher: Fetcher,
  guard: Guard,
  request: FollowRequest,
  signal: AbortSignal,
  options: FollowOptions = {},
): Promise<Followed> {
  const { limit = maxRedirects, cookies = makeCookies(), mayVisit, followsRefresh = false } = options
  let followed = 0
  const refreshed = new Set<string>()
  const seed = ownCookies(request)
  const isOwn = ownNames(request)
  let step = firstStep(request)
  for (;;) {
    guard.checkUrl(step.url)
    const headers = withCookies(step, cookies, seed)
    const answer = await fetcher.exchange({ ...step, headers }, signal)
    cookies.keep(valuesOf(answer, 'set-cookie'), step.url)
    const refresh = followsRefresh && refreshed.size < maxRefreshes ? refreshTarget(answer, step.url) : undefined
    // A refresh back to an earlier page is not followed: its current content is used.
    const next = redirectTarget(answer, step.url) ?? (refresh && !refreshed.has(refresh.href) ? refresh : undefined)
    if (next && next === refresh) refreshed.add(step.url.href)
    if (!next) return { ...answer, url: step.url }
    if (followed >= limit) throw tooManyRedirects(limit)
    await mayVisit?.(next)
    followed += 1
    step = nextStep(step, answer.status, withoutUser(next), isOwn)
  }
}

type IsOwn = (name: string) => boolean

function ownNames({ ownHeaders }: FollowRequest): IsOwn {
  const names = ownHeaders && new Set(ownHeaders.map((name) => name.toLowerCase()))
  return (name) => !names || names.has(name)
}

/** Moves the user name and password of the URL to a header, so that they are sent nowhere else. */
function firstStep({ ownHeaders: _own, ...request }: FollowRequest): WireRequest {
  const { username, password } = request.url
  const { cookie: _, ...headers } = request.headers
  const isNamed = username !== '' || password !== ''
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return {
    ...request,
    url: withoutUser(request.url),
    headers: isNamed ? { authorization: `Basic ${credentials}`, ...headers } : headers,
  }
}

function nextStep(step: WireRequest, status: number, url: URL, isOwn: IsOwn): WireRequest {
  const { body: _, ...bare } = step
  const isTurned = step.method === 'POST' ? status <= 303 : false
  const turned: WireRequest = isTurned ? { ...bare, method: 'GET', headers: withoutContent(step.headers) } : step
  const isSameOrigin = url.origin === step.url.origin
  return { ...turned, url, headers: isSameOrigin ? turned.headers : withoutSecrets(turned, isOwn) }
}

function withoutContent(headers: WireRequest['headers']): WireRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}

/**
 * Removes headers that the caller set for one host before a request to another. They are not restored on the way back, because
 * the redirects may be an attack.
 */
function withoutSecrets({ headers }: WireRequest, isOwn: IsOwn): WireRequest['headers'] {
  const isAllowed = (name: string): boolean => (isOwn(name) ? isSafeAcrossOrigins(name) : name !== 'authorization')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isAllowed(name)))
}

interface OwnCookies {
  readonly origin: string
  readonly pairs: readonly string[]
}

function ownCookies({ url, headers }: FollowRequest): OwnCookies {
  const pairs = (headers['cookie'] ?? '').split(';').map((pair) => pair.trim())
  return { origin: url.origin, pairs: pairs.filter((pair) => pair !== '') }
}

/** Cookies set by the host override the caller's cookies, which are sent only to the first origin. */
function withCookies({ url, headers }: WireRequest, cookies: Cookies, own: OwnCookies): WireRequest['headers'] {
  const set = cookies.of(url)
  const names = new Set(set.map(nameOf))
  const brought = url.origin === own.origin ? own.pairs.filter((pair) => !names.has(nameOf(pair))) : []
  const all = [...brought, ...set]
  return all.length > 0 ? { ...headers, cookie: all.join('; ') } : headers
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? ''
}

function redirectTarget(answer: WireResponse, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return undefined
  const locations = new Set(valuesOf(answer, 'location').filter((value) => value !== ''))
  const [location, other] = locations
  if (location === undefined) return undefined
  if (other !== undefined) throw badLocation('names two different URLs')
  if (location.length > maxLocationLength) throw badLocation(`names a URL of more than ${maxLocationLength} characters`)
  if (/[\0-\x1f\x7f]/.test(location)) throw badLocation('names a URL with control characters')
  const target = URL.parse(asText(location), from.href)
  if (!target) throw badLocation('names something that is not a URL')
  if (target.hash === '') target.hash = from.hash
  return withoutUser(target)
}

/** Decodes a URL in a header as UTF-8 if it is valid, as browsers do, otherwise as Latin-1. */
function asText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}

function withoutUser(url: URL): URL {
  if (url.username === '' && url.password === '') return url
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function valuesOf({ headers }: WireResponse, name: string): string[] {
  return headers.filter(([header]) => header === name).map(([, value]) => value)
}

function badLocation(what: string): EngineError {
  return new EngineError('bad_response', `The host redirects, but ${what}. Try the URL that it should redirect to.`)
}

function tooManyRedirects(limit: number): EngineError {
  const sentence = `The page redirects more than ${limit} times. It may need a cookie or another header: set it in headers.`
  return new EngineError('too_many_redirects', sentence, { details: { limit } })
}
