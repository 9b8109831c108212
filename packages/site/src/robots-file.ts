import { EngineError, type Store } from '@harvestman/ports'
import { untilAborted } from '@harvestman/ports/adapters'
import { allowAll, mostRobotsBytes, readRobots, unreadRules, type RobotsRules, type Unread } from './robots.ts'
import { isAboutCaller, streamBody, type StreamKit } from './stream.ts'
import { siteKeys } from './keys.ts'

/** The token that names this robot. */
export const robotName = 'Harvestman'

export interface RobotsKit extends StreamKit {
  readonly store: Store
  /** False where nothing that it says is followed; sitemaps are read from it all the same. */
  readonly isFollowed?: boolean
}

export interface AskRobots {
  readonly userAgent?: string | undefined
  /** Whether it is loaded even when it is kept. */
  readonly isFresh?: boolean | undefined
  readonly signal: AbortSignal
  /** Is told what the host of the engine may want to know. */
  readonly tell: (message: string) => void
}

/** The robots.txt of every origin, each fetched once at a time and kept for a day. */
export interface Robots {
  rulesOf(origin: string, ask: AskRobots): Promise<RobotsRules>
}

/** `open`: there is no file, so nothing is asked. `shut`: it could not be read, so nothing is allowed for now. */
type RobotsFile =
  | { readonly kind: 'open' }
  | { readonly kind: 'shut'; readonly unread?: Unread }
  | { readonly kind: 'text'; readonly text: string }

const unknownCause: Unread = { message: 'The robots.txt of the site could not be read.' }
const hour = 3_600_000
const keptFor = 24 * hour
// A host that is down is asked again soon.
const shutFor = 300_000
const timeout = 10_000
const redirects = 5
// A host that does not let itself be read piece by piece is read whole.
const maxBytes = 5_000_000

/** Opens the robots files of sites: each is asked for once, and kept in the store. */
export function makeRobots(kit: RobotsKit): Robots {
  const underWay = new Map<string, Promise<RobotsFile>>()
  const fileOf = (origin: string, ask: AskRobots): Promise<RobotsFile> => {
    if (ask.isFresh) return loadAnew(origin, ask.tell, kit)
    const running = underWay.get(origin)
    if (running) return running
    // Not with the signal of the first who asks: others wait for the same file.
    const file = load(origin, ask.tell, kit).finally(() => underWay.delete(origin))
    file.catch(() => undefined)
    underWay.set(origin, file)
    return file
  }
  return {
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

async function load(origin: string, tell: AskRobots['tell'], kit: RobotsKit): Promise<RobotsFile> {
  const key = siteKeys.robots(origin)
  const kept: unknown = await kit.store.get(key)
  return kept === undefined ? loadAnew(origin, tell, kit) : (kept as RobotsFile)
}

async function loadAnew(origin: string, tell: AskRobots['tell'], kit: RobotsKit): Promise<RobotsFile> {
  const key = siteKeys.robots(origin)
  const file = await fetchFile(origin, tell, kit)
  await kit.store.set(key, { ...file }, { ttl: file.kind === 'shut' ? shutFor : keptFor })
  return file
}

/** What an answer means is laid down in RFC 9309, 2.3.1. */
async function fetchFile(origin: string, tell: AskRobots['tell'], kit: RobotsKit): Promise<RobotsFile> {
  const pieces: Uint8Array[] = []
  let size = 0
  const take = (piece: Uint8Array): 'enough' | undefined => {
    pieces.push(piece)
    size += piece.length
    return size > mostRobotsBytes ? 'enough' : undefined
  }
  try {
    const url = new URL('/robots.txt', origin)
    const { status } = await streamBody(kit, { url, redirects, maxBytes }, take, AbortSignal.timeout(timeout))
    if (status === 429 || status >= 500) return { kind: 'shut', unread: { status } }
    return status < 300 ? { kind: 'text', text: textOf(pieces, size) } : { kind: 'open' }
  } catch (error) {
    if (!EngineError.is(error)) return { kind: 'shut' }
    if (error.code === 'response_too_large') return { kind: 'text', text: textOf(pieces, size) }
    if (error.code === 'url_blocked') {
      tell(`The robots.txt of ${origin} leads to an address that may not be visited, and is taken to be absent.`)
      return { kind: 'open' }
    }
    if (isAboutCaller(error)) throw error
    if (error.code === 'too_many_redirects') return { kind: 'open' }
    return { kind: 'shut', unread: { message: error.message } }
  }
}

function textOf(pieces: readonly Uint8Array[], size: number): string {
  const bytes = Buffer.concat(pieces, size)
  if (size <= mostRobotsBytes) return bytes.toString('utf8')
  const text = bytes.toString('utf8', 0, mostRobotsBytes)
  // The last line is cut, and half of a rule is another rule.
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0))
}
