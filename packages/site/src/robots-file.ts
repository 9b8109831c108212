import { EngineError, type Store } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { allowAll, maxRobotsBytes, readRobots, unreadRules, type RobotsRules, type Unread } from './robots.ts'
import { isAboutCaller, streamBody, type Route, type StreamKit } from './stream.ts'
import { siteKeys } from './keys.ts'

/** The product token of this robot. */
export const robotName = 'Harvestman'

export interface RobotsKit extends StreamKit {
  readonly store: Store
  /** False if robots.txt rules are ignored; sitemaps are read from it all the same. */
  readonly isFollowed?: boolean
}

export interface AskRobots {
  readonly userAgent?: string | undefined
  /** Loads the file even if it is cached. */
  readonly isFresh?: boolean | undefined
  /** The proxies through which the file is loaded, if it is not cached. */
  readonly route?: Route | undefined
  readonly signal: AbortSignal
  /** Receives messages for the host application. */
  readonly tell: (message: string) => void
}

/** The robots.txt of every origin. Each is fetched once for concurrent callers, and cached for a day. */
export interface Robots {
  rulesOf(origin: string, ask: AskRobots): Promise<RobotsRules>
  /** Returns the file; `undefined` if there is none. Rejects with `connection_failed` if it could not be read. */
  textOf(origin: string, ask: AskRobots): Promise<string | undefined>
}

/** `open`: there is no file, so everything is allowed. `shut`: it could not be read, so nothing is allowed for now. */
type RobotsFile =
  | { readonly kind: 'open' }
  | { readonly kind: 'shut'; readonly unread?: Unread; readonly isOfProxy?: boolean }
  | { readonly kind: 'text'; readonly text: string }

const unknownCause: Unread = { message: 'The robots.txt of the site could not be read.' }
const hour = 3_600_000
const cacheTime = 24 * hour
// If it could not be read, it is requested again soon.
const shutFor = 300_000
const timeout = 10_000
const redirects = 5
// Limit for fetchers that return the body as a whole.
const maxBytes = 5_000_000

/**
 * Creates access to robots files, which are cached in the store for a day, or for 5 minutes if they could not be read. Without
 * such a file everything is allowed. If the host fails to respond nothing is, unless robots.txt is not followed. `rulesOf`
 * rejects only when aborted or closed, or if the store fails.
 */
export function makeRobots(kit: RobotsKit): Robots {
  const underWay = new Map<string, Promise<RobotsFile>>()
  const fileOf = (origin: string, ask: AskRobots): Promise<RobotsFile> => {
    if (ask.isFresh) return loadAnew(origin, ask, kit)
    const running = underWay.get(origin)
    if (running) return running
    // Not with the signal of the first caller, because others wait for the same file.
    const file = load(origin, ask, kit).finally(() => underWay.delete(origin))
    file.catch(() => undefined)
    underWay.set(origin, file)
    return file
  }
  return {
    textOf: async (origin, ask) => {
      const file = await untilAborted(fileOf(origin, ask), ask.signal)
      if (file.kind === 'shut') throw unreadError(new URL('/robots.txt', origin), file.unread ?? unknownCause)
      return file.kind === 'text' ? file.text : undefined
    },
    rulesOf: async (origin, ask) => {
      const file = await untilAborted(fileOf(origin, ask), ask.signal)
      if (file.kind === 'open') return allowAll
      const { isFollowed = true, sends } = kit
      if (file.kind === 'shut') return isFollowed ? unreadRules(file.unread ?? unknownCause) : allowAll
      const rules = readRobots(file.text, ask.userAgent ?? sends?.['user-agent'] ?? robotName)
      return isFollowed ? rules : { ...allowAll, sitemaps: rules.sitemaps }
    },
  }
}

type Load = Pick<AskRobots, 'tell' | 'route'>

async function load(origin: string, ask: Load, kit: RobotsKit): Promise<RobotsFile> {
  const key = siteKeys.robots(origin)
  const cached: unknown = await kit.store.get(key)
  return cached === undefined ? loadAnew(origin, ask, kit) : (cached as RobotsFile)
}

async function loadAnew(origin: string, ask: Load, kit: RobotsKit): Promise<RobotsFile> {
  const key = siteKeys.robots(origin)
  const file = await fetchFile(origin, ask, kit)
  // Other proxies may reach the host.
  if (file.kind === 'shut' && file.isOfProxy) return file
  await kit.store.set(key, { ...file }, { ttl: file.kind === 'shut' ? shutFor : cacheTime })
  return file
}

/** The meaning of each status is defined in RFC 9309, 2.3.1. */
async function fetchFile(origin: string, { tell, route }: Load, kit: RobotsKit): Promise<RobotsFile> {
  const pieces: Uint8Array[] = []
  let size = 0
  const take = (piece: Uint8Array): 'enough' | undefined => {
    pieces.push(piece)
    size += piece.length
    return size > maxRobotsBytes ? 'enough' : undefined
  }
  try {
    const url = new URL('/robots.txt', origin)
    const { status } = await streamBody(kit, { url, redirects, maxBytes, route }, take, AbortSignal.timeout(timeout))
    if (isShut(status)) return { kind: 'shut', unread: { status } }
    return status < 300 ? { kind: 'text', text: textOf(pieces, size) } : { kind: 'open' }
  } catch (error) {
    if (!EngineError.is(error)) return { kind: 'shut' }
    if (error.code === 'response_too_large') return { kind: 'text', text: textOf(pieces, size) }
    if (error.code === 'url_blocked') {
      tell(`The robots.txt of ${origin} redirects to a blocked URL, and is treated as missing.`)
      return { kind: 'open' }
    }
    if (isAboutCaller(error)) throw error
    if (error.code === 'too_many_redirects') return { kind: 'open' }
    const isOfProxy = error.details['proxy'] === true || error.code === 'proxy_budget_exceeded'
    return { kind: 'shut', unread: { message: error.message }, ...(isOfProxy && { isOfProxy }) }
  }
}

/** Returns whether a host with this status may have the file, but does not return it now. */
function isShut(status: number): boolean {
  return status === 429 || status >= 500
}

function unreadError(url: URL, unread: Unread): EngineError {
  const message =
    'message' in unread ? unread.message : `${url.href} returned status ${unread.status}. Try again later.`
  return new EngineError('connection_failed', message)
}

function textOf(pieces: readonly Uint8Array[], size: number): string {
  const bytes = Buffer.concat(pieces, size)
  if (size <= maxRobotsBytes) return bytes.toString('utf8')
  const text = bytes.toString('utf8', 0, maxRobotsBytes)
  // Drops the last, truncated line: half of a rule is a different rule.
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0))
}

/**
 * Creates the function with which plugins fetch text files of sites (`PluginContext.fetchText`). robots.txt comes from the
 * cache. Rejects with `connection_failed` for status 429 and 5xx, because the host may have the file.
 */
export function textFetcher(kit: StreamKit, robots: Robots, tell: AskRobots['tell']) {
  return async (
    url: URL,
    { maxBytes: most, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<string | undefined> => {
    if (url.pathname === '/robots.txt' && url.search === '') return robots.textOf(url.origin, { signal, tell })
    const pieces: Uint8Array[] = []
    let size = 0
    const take = (piece: Uint8Array): 'enough' | undefined => {
      pieces.push(piece)
      size += piece.length
      return size > most ? 'enough' : undefined
    }
    const mayVisit = async ({ hostname }: URL): Promise<void> => {
      if (hostname !== url.hostname) throw new EngineError('too_many_redirects', 'The file redirects to another host.')
    }
    const { status } = await streamBody(kit, { url, redirects, maxBytes, mayVisit }, take, signal)
    if (isShut(status)) throw unreadError(url, { status })
    return status < 300 ? Buffer.concat(pieces, size).toString('utf8', 0, most) : undefined
  }
}
