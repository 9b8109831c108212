import { randomUUID } from 'node:crypto'

import type { Store } from '@harvestman/ports'
import { isSameHost, isSameSite, registrableDomain } from './domains.ts'
import { normaliseUrl } from './page-identity.ts'
import { makePipe } from './pipe.ts'
import type { Robots } from './robots-file.ts'
import type { Route, StreamKit } from './stream.ts'
import type { FileBounds, FileEnd, readSitemapFile } from './sitemap-file.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { sitemapCache, type SitemapCache } from './sitemap-cache.ts'

/** Dependencies of the sitemap reader. */
export interface SitemapKit extends StreamKit {
  readonly store: Store
  readonly robots: Robots
}

export interface SitemapRequest {
  /** Start URL of the site, after redirects. */
  readonly start: URL
  /** Reads every file again instead of from the cache. The results are cached all the same. */
  readonly ignoreCache: boolean
  /** Headers of the caller, for the host of the start URL. They may identify a user, so nothing is cached with them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads the feeds of the site too: `anew` searches for their URLs, `kept` allows cached URLs. */
  readonly feeds?: 'anew' | 'kept' | undefined
  readonly languages?: readonly string[] | undefined
  readonly bounds?: Partial<SitemapBounds>
  /** The proxies through which files are loaded. */
  readonly route?: Route | undefined
  readonly signal: AbortSignal
  /** Receives messages for the host application. */
  readonly tell: (message: string) => void
  /** Receives warnings for the caller about listed URLs that were not read. */
  readonly onLoss?: ((sentence: string) => void) | undefined
}

export interface SitemapBounds extends FileBounds {
  /** Maximum depth of nested sitemap indexes. */
  readonly levels: number
  readonly files: number
  /** Number of files that are read at the same time. */
  readonly atOnce: number
}

export interface SitemapPage {
  /** Normalized URL, within the requested site. */
  readonly url: string
  readonly title: string | undefined
  readonly changedAt?: number | undefined
  /** Set if the page is listed in a feed, not in a sitemap. */
  readonly by?: 'feed' | undefined
}

/** The limit on entries per file is defined by sitemaps.org; the others limit the cost of unusual sites. */
const sitemapBounds: SitemapBounds = {
  levels: 3,
  files: 50,
  atOnce: 4,
  entries: 50_000,
  bytes: 100_000_000,
  timeout: 60_000,
}

const week = 7 * 24 * 3_600_000
const hour = 3_600_000

// Common locations of undeclared sitemaps, requested only if the default locations have none.
const otherPlaces = ['/sitemap_index.xml', '/sitemap-index.xml', '/wp-sitemap.xml', '/sitemap.xml.gz', '/sitemap.txt']

interface File {
  readonly url: string
  readonly by: SitemapPage['by']
  readonly level: number
}

/**
 * Yields the pages of a site that its sitemaps list, in batches and always in the same order, without URLs of other sites.
 * Files are read ahead only as far as the consumer keeps up; leaving the loop stops reading. Files that cannot be read are
 * skipped; `onLoss` reports incomplete ones, and nested or declared ones beyond the limits (by default 50 files and 3 levels).
 * Rejects when aborted or if the store fails.
 */
export async function* readSitemaps(request: SitemapRequest, kit: SitemapKit): AsyncGenerator<readonly SitemapPage[]> {
  const bounds = { ...sitemapBounds, ...request.bounds }
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const cache = request.headers && Object.keys(request.headers).length > 0 ? undefined : sitemapCache(kit.store)
  const seen = new Set<string>()
  const waiting: File[] = []
  const open: OpenFile[] = []
  const isOfSite = siteFilter(request.start)
  const owner = `sitemaps ${randomUUID()}`

  const enqueue = (url: string, level: number, by?: SitemapPage['by'], isListed = level > 0): void => {
    const normal = normaliseUrl(url, { ignoreQueryParameters: false })
    if (normal === undefined || seen.has(normal)) return
    if (seen.size >= bounds.files || level > bounds.levels) {
      if (isListed) request.onLoss?.(tooManyFiles(bounds))
      return
    }
    seen.add(normal)
    waiting.push({ url: normal, level, by })
  }
  const openNext = (): void => {
    while (open.length < bounds.atOnce && waiting.length > 0)
      open.push(openFile(waiting.shift()!, { ...request, bounds, cache, signal, owner }, kit))
  }
  async function* readQueue(): AsyncGenerator<readonly SitemapPage[]> {
    for (openNext(); open.length > 0; openNext()) {
      const file = open[0]!
      for (let batch = await file.next(); batch; batch = await file.next()) {
        const pages = pagesOf(batch, file.by, isOfSite)
        for (const { kind, url } of batch) if (kind === 'sitemap') enqueue(url, file.level + 1, file.by)
        if (pages.length > 0) yield pages
        openNext()
      }
      open.shift()
    }
  }
  try {
    const { declared, guessed } = await defaultPlaces(request, kit)
    for (const url of declared) enqueue(url, 0, undefined, true)
    for (const url of guessed) enqueue(url, 0)
    for (const url of await feedsOf(request, kit)) enqueue(url, 0, 'feed')
    let isEmpty = true
    for await (const pages of readQueue()) {
      isEmpty = false
      yield pages
    }
    if (!isEmpty) return
    for (const path of otherPlaces) enqueue(new URL(path, request.start).href, 0)
    yield* readQueue()
  } finally {
    stop.abort()
  }
}

function tooManyFiles({ files, levels }: SitemapBounds): string {
  return `The sitemaps of the site are more than ${files} files, or more than ${levels} levels deep. The rest was not read.`
}

// Loaded on demand, because most processes read no feeds.
async function feedsOf(request: SitemapRequest, kit: SitemapKit): Promise<readonly string[]> {
  if (!request.feeds) return []
  const { findFeeds } = await import('./feeds.ts')
  return findFeeds(request, kit)
}

/** Returns the sitemaps that the site or the caller declares, and the default locations of others. */
async function defaultPlaces(
  { start, ignoreCache, route, signal, tell }: SitemapRequest,
  { robots }: SitemapKit,
): Promise<{ readonly declared: readonly string[]; readonly guessed: readonly string[] }> {
  if (/\.(?:xml|xml\.gz|txt)$/i.test(start.pathname)) return { declared: [start.href], guessed: [] }
  const { sitemaps } = await robots.rulesOf(start.origin, { signal, tell, route, isFresh: ignoreCache })
  const declared = sitemaps.flatMap((url) => URL.parse(url, start.origin)?.href ?? [])
  const folder = start.pathname.replace(/\/+$/, '')
  const own = [`${start.origin}${folder}/sitemap.xml`, `${start.origin}/sitemap.xml`]
  const domain = registrableDomain(start.hostname)
  // If the domains differ only in `www.`, both URLs are the same file.
  if (isSameHost(domain, start.hostname)) return { declared, guessed: own }
  return { declared, guessed: [...own, `${start.protocol}//${domain}/sitemap.xml`] }
}

function siteFilter(start: URL): (url: string) => boolean {
  // There are few hosts but many URLs.
  const known = new Map<string, boolean>()
  return (url) => {
    const from = url.indexOf('//') + 2
    const host = url.slice(from, url.indexOf('/', from))
    const verdict = known.get(host) ?? isSameSite(host, start.host)
    if (known.size < 10_000) known.set(host, verdict)
    return verdict
  }
}

function pagesOf(
  batch: readonly SitemapEntry[],
  by: SitemapPage['by'],
  isOfSite: (url: string) => boolean,
): SitemapPage[] {
  const pages: SitemapPage[] = []
  for (const entry of batch) {
    if (entry.kind !== 'page') continue
    const url = normaliseUrl(entry.url, { ignoreQueryParameters: false })
    // Most entries need no change, and there may be a million of them, so they are reused.
    if (url !== undefined && isOfSite(url)) pages.push(url === entry.url && !by ? entry : { ...entry, url, by })
  }
  return pages
}

interface OpenFile {
  readonly by: SitemapPage['by']
  readonly level: number
  next(): Promise<readonly SitemapEntry[] | undefined>
}

interface OpenRequest extends SitemapRequest {
  readonly bounds: SitemapBounds
  readonly cache: SitemapCache | undefined
  /** Owner of the connections: they are shared only within this call. */
  readonly owner: string
}

/**
 * Starts to read a file, at most one batch ahead of `next`: a million long-lived entries would burden V8's garbage collector.
 */
function openFile({ url, level, by }: File, request: OpenRequest, doors: StreamKit): OpenFile {
  const pipe = makePipe<readonly SitemapEntry[]>(1)
  readOne(url, request, pipe.give, doors).then(pipe.end, pipe.fail)
  return { level, by, next: pipe.next }
}

async function readOne(
  url: string,
  request: OpenRequest,
  give: (batch: readonly SitemapEntry[]) => Promise<void> | undefined,
  doors: StreamKit,
): Promise<void> {
  const { start, ignoreCache, headers, languages, bounds, cache, owner, route, signal, tell, onLoss } = request
  const cached = ignoreCache ? undefined : await cache?.find(url)
  if (cached) {
    for await (const batch of cached) await give(batch)
    return
  }
  let keeping = cache?.begin(url)
  const lost = (): void => {
    keeping = undefined
    tell(`The sitemap ${url} could not be stored, and will be loaded again next time.`)
  }
  const keepAndGive = async (batch: readonly SitemapEntry[]): Promise<void> => {
    await keeping?.add(batch).catch(lost)
    await give(batch)
  }
  const parsed = new URL(url)
  const own = parsed.origin === start.origin ? headers : undefined
  const reader = await loadSitemapReader()
  const file = { url: parsed, headers: own, languages, bounds, owner, route }
  const end = await reader.readSitemapFile(file, keepAndGive, signal, doors)
  if (end === 'blocked') tell(`The sitemap ${url} redirects to a blocked URL, and is treated as missing.`)
  if (end === 'cut')
    onLoss?.(
      `The sitemap ${url} lists more than ${bounds.entries} URLs, which is the limit for one file. The rest was not read.`,
    )
  if (end === 'partial') onLoss?.(`The sitemap ${url} could not be read to its end. Some of its URLs may be missing.`)
  const ttl = cacheTimes[end]
  if (ttl > 0) await keeping?.finish(ttl).catch(lost)
}

const cacheTimes: Readonly<Record<FileEnd, number>> = {
  whole: week,
  absent: hour,
  blocked: 0,
  broken: 0,
  partial: 0,
  cut: 0,
}

/** Loads the code that reads sitemap files, which the first sitemap needs. */
export async function loadSitemapReader(): Promise<{ readonly readSitemapFile: typeof readSitemapFile }> {
  return import('./sitemap-file.ts')
}
