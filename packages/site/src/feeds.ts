// Finds the feeds of a site: by links on its first page, or at common paths.
import { EngineError, type Store } from '@harvestman/ports'

import { siteKeys } from './keys.ts'
import type { Robots } from './robots-file.ts'
import { isAboutCaller, streamBody, type Route, type StreamKit } from './stream.ts'

interface FeedRequest {
  readonly start: URL
  readonly feeds?: 'anew' | 'kept' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly languages?: readonly string[] | undefined
  readonly route?: Route | undefined
  readonly signal: AbortSignal
  readonly tell: (message: string) => void
}

interface FeedKit extends StreamKit {
  readonly store: Store
  readonly robots: Robots
}

const week = 7 * 24 * 3_600_000
const defaultPaths = ['/feed.xml', '/atom.xml', '/rss.xml', '/feed', '/feed.json']
const [maxFeeds, maxLinks, headBytes, sniffedBytes, redirects, timeout] = [5, 200, 200_000, 2_000, 5, 10_000]
const feedTypes = /^application\/(?:rss\+xml|atom\+xml|feed\+json)\b/i
const feedStarts = /<(?:rss|feed|rdf:RDF)[\s>]|https:\/\/jsonfeed\.org\/version\//

/**
 * Returns the URLs of the feeds of a site, at most 5, from its start page or else at usual paths; empty if there are none, if
 * these cannot be read, or if robots.txt forbids it. Results are cached for a week, unless the caller sends headers, which may
 * identify a user. Rejects when aborted or if the store fails.
 */
export async function findFeeds(request: FeedRequest, kit: FeedKit): Promise<readonly string[]> {
  const isCacheable = Object.keys(request.headers ?? {}).length === 0
  const key = siteKeys.feeds(request.start.origin)
  const cached = isCacheable && request.feeds !== 'anew' ? await kit.store.get(key) : undefined
  if (Array.isArray(cached)) return cached.filter((url) => typeof url === 'string')
  const found = await lookForFeeds(request, kit)
  if (isCacheable) await kit.store.set(key, [...found], { ttl: week }).catch(() => undefined)
  return found
}

async function lookForFeeds(request: FeedRequest, kit: FeedKit): Promise<readonly string[]> {
  const { start, route, signal, tell } = request
  const rules = await kit.robots.rulesOf(start.origin, { signal, tell, route })
  if (!rules.allows(start.href)) return []
  const linked = feedLinks(await readStart(start, headBytes, request, kit), start)
  if (linked.length > 0) return linked
  const found: string[] = []
  for (const path of defaultPaths) {
    const url = new URL(path, start)
    const isFeed = rules.allows(url.href) && feedStarts.test(await readStart(url, sniffedBytes, request, kit))
    if (isFeed) found.push(url.href)
  }
  return found
}

/** Returns up to 5 feeds that the first 200,000 characters of a page link to, as absolute URLs. Empty if there are none. */
export function feedLinks(html: string, base: URL): readonly string[] {
  const tags = html.slice(0, headBytes).match(/<link\s[^<>]{1,2000}>/gi) ?? []
  const urls = tags.slice(0, maxLinks).flatMap((tag) => {
    const isFeed = /\balternate\b/i.test(valueOf(tag, 'rel')) && feedTypes.test(valueOf(tag, 'type'))
    const url = isFeed ? URL.parse(valueOf(tag, 'href').replaceAll('&amp;', '&'), base.href)?.href : undefined
    return url ?? []
  })
  return [...new Set(urls)].slice(0, maxFeeds)
}

function valueOf(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
}

/** Returns the beginning of the content of a URL, or an empty string if it cannot be read. */
async function readStart(
  url: URL,
  most: number,
  { start, headers, languages, route, signal }: FeedRequest,
  kit: FeedKit,
): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  const own = url.origin === start.origin ? headers : undefined
  const bodyRequest = { url, redirects, maxBytes: 5_000_000, headers: own, languages, route }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
  const take = (piece: Uint8Array): 'enough' | undefined => {
    pieces.push(Uint8Array.from(piece.subarray(0, most - size)))
    size += piece.length
    return size >= most ? 'enough' : undefined
  }
  try {
    await streamBody(kit, bodyRequest, take, limit)
  } catch (error) {
    signal.throwIfAborted()
    if (EngineError.is(error) && isAboutCaller(error)) throw error
  }
  return Buffer.concat(pieces).toString('latin1')
}
