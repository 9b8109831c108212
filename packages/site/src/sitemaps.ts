import { randomUUID } from 'node:crypto'

import type { Store } from '@harvestman/ports'
import { isSameHost, isSameSite, registrableDomain } from './domains.ts'
import { normaliseUrl } from './page-identity.ts'
import { makePipe } from './pipe.ts'
import type { Robots } from './robots-file.ts'
import type { StreamKit } from './stream.ts'
import type { FileBounds, FileEnd } from './sitemap-file.ts'
import type { SitemapEntry } from './sitemap-entry.ts'
import { sitemapCache, type SitemapCache } from './sitemap-cache.ts'

/** What sitemaps are read with. */
export interface SitemapKit extends StreamKit {
  readonly store: Store
  readonly robots: Robots
}

export interface SitemapRequest {
  /** Where the site begins, its redirects followed. */
  readonly start: URL
  /** Reads every file anew. What is read is kept all the same. */
  readonly ignoreCache: boolean
  /** Of the caller, for the host of the start. Who is known by them sees a site of their own, so nothing is kept. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads the feeds of the site too: where they are is looked for anew, or may be kept from another time. */
  readonly feeds?: 'anew' | 'kept' | undefined
  readonly languages?: readonly string[] | undefined
  readonly bounds?: Partial<SitemapBounds>
  readonly signal: AbortSignal
  /** Is told what the host of the engine may want to know. */
  readonly tell: (message: string) => void
  /** Receives a sentence for the caller about URLs that sitemaps list and that were not read. */
  readonly onLoss?: ((sentence: string) => void) | undefined
}

export interface SitemapBounds extends FileBounds {
  /** How deep an index may name further ones. */
  readonly levels: number
  readonly files: number
  /** Files that are read at the same time. */
  readonly atOnce: number
}

export interface SitemapPage {
  /** In its normal form, of the site that was asked for. */
  readonly url: string
  readonly title: string | undefined
  readonly changedAt?: number | undefined
  /** A feed lists it, and not a sitemap. */
  readonly by?: 'feed' | undefined
}

/** Entries of one file by sitemaps.org; the rest keeps what others wrote from costing us more than it is worth. */
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

// Where sites put theirs when they do not say; asked only when the usual places hold nothing.
const otherPlaces = ['/sitemap_index.xml', '/sitemap-index.xml', '/wp-sitemap.xml', '/sitemap.xml.gz', '/sitemap.txt']

interface File {
  readonly url: string
  readonly by: SitemapPage['by']
  readonly level: number
}

/**
 * All pages that the sitemaps of a site name, in batches and always in the same order. Files are read ahead, but only as
 * far as the consumer of the batches keeps up; leaving the loop ends the reading.
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

  const enqueue = (url: string, level: number, by?: SitemapPage['by']): void => {
    const normal = normaliseUrl(url, { ignoreQueryParameters: false })
    if (normal === undefined || seen.has(normal)) return
    if (seen.size >= bounds.files || level > bounds.levels) {
      if (level > 0) request.onLoss?.(tooManyFiles(bounds))
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
    for (const url of await usualPlaces(request, kit)) enqueue(url, 0)
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

// What reads files is loaded with the first of them: most programs read no sitemap.
async function feedsOf(request: SitemapRequest, kit: SitemapKit): Promise<readonly string[]> {
  if (!request.feeds) return []
  const { findFeeds } = await import('./feeds.ts')
  return findFeeds(request, kit)
}

async function usualPlaces(
  { start, ignoreCache, signal, tell }: SitemapRequest,
  { robots }: SitemapKit,
): Promise<string[]> {
  if (/\.(?:xml|xml\.gz|txt)$/i.test(start.pathname)) return [start.href]
  const { sitemaps } = await robots.rulesOf(start.origin, { signal, tell, isFresh: ignoreCache })
  const declared = sitemaps.flatMap((url) => URL.parse(url, start.origin)?.href ?? [])
  const folder = start.pathname.replace(/\/+$/, '')
  const own = [`${start.origin}${folder}/sitemap.xml`, `${start.origin}/sitemap.xml`]
  const domain = registrableDomain(start.hostname)
  // The same file twice, when the two differ in `www.` only.
  if (isSameHost(domain, start.hostname)) return [...declared, ...own]
  return [...declared, ...own, `${start.protocol}//${domain}/sitemap.xml`]
}

function siteFilter(start: URL): (url: string) => boolean {
  // Few hosts, many addresses.
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
    // Most are as they should be, and there may be a million.
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
  /** This reading: its files share connections with those of no other. */
  readonly owner: string
}

/** Begins to read, and reads ahead of `next` by a batch: a million entries that wait for long are hard on V8. */
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
  const { start, ignoreCache, headers, languages, bounds, cache, owner, signal, tell, onLoss } = request
  const kept = ignoreCache ? undefined : await cache?.find(url)
  if (kept) {
    for await (const batch of kept) await give(batch)
    return
  }
  let keeping = cache?.begin(url)
  const lost = (): void => {
    keeping = undefined
    tell(`The sitemap ${url} could not be kept, and will be fetched again next time.`)
  }
  const keepAndGive = async (batch: readonly SitemapEntry[]): Promise<void> => {
    await keeping?.add(batch).catch(lost)
    await give(batch)
  }
  const parsed = new URL(url)
  const own = parsed.origin === start.origin ? headers : undefined
  const { readSitemapFile } = await import('./sitemap-file.ts')
  const end = await readSitemapFile({ url: parsed, headers: own, languages, bounds, owner }, keepAndGive, signal, doors)
  if (end === 'blocked')
    tell(`The sitemap ${url} leads to an address that may not be visited, and is taken to be absent.`)
  if (end === 'cut')
    onLoss?.(
      `The sitemap ${url} lists more than ${bounds.entries} URLs, as many as one file may have. The rest was not read.`,
    )
  if (end === 'partial') onLoss?.(`The sitemap ${url} could not be read to its end. Some of its URLs may be missing.`)
  const ttl = keptFor[end]
  if (ttl > 0) await keeping?.finish(ttl).catch(lost)
}

const keptFor: Readonly<Record<FileEnd, number>> = {
  whole: week,
  absent: hour,
  blocked: 0,
  broken: 0,
  partial: 0,
  cut: 0,
}
