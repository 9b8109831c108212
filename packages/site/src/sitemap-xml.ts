import { maxUrlLength, parseDate, type Scan, type ScanOptions, type SitemapEntry } from './sitemap-entry.ts'
import type { TextOf } from './sitemap-text.ts'
import { nameNumber, xmlTokens, type TextKind } from './xml-tokens.ts'

const urlName = nameNumber('url')
const sitemapName = nameNumber('sitemap')
const locName = nameNumber('loc')
const titleName = nameNumber('title')
const changedName = nameNumber('lastmod')
// Names of the modification date in RSS, RSS with Dublin Core, and Atom.
const changedInFeeds = new Set(['pubDate', 'date', 'updated'].map(nameNumber))
const itemName = nameNumber('item')
const entryName = nameNumber('entry')
const linkName = nameNumber('link')
const htmlName = nameNumber('html')
const [image, video, news] = [nameNumber('image'), nameNumber('video'), nameNumber('news')]
const indexRoot = nameNumber('sitemapindex')
const roots: ReadonlySet<number> = new Set([indexRoot, ...['urlset', 'rss', 'feed', 'RDF'].map(nameNumber)])

// Their URLs are URLs of files, not of pages.
const pictures: ReadonlySet<number> = new Set([image, video])

// An image title describes the page less than a video title, and both less than the title of a news item.
const titleRanks: ReadonlyMap<number, number> = new Map([
  [0, 3],
  [news, 4],
  [video, 2],
  [image, 1],
])

type Wanted = 'url' | 'title' | 'changed'

/** Creates a reader for the XML of sitemaps.org, RSS and Atom, whichever the file is. */
export function scanXml(options: ScanOptions, textOf: TextOf): Scan {
  const draft = makeDraft(options)
  let wanted: Wanted | undefined
  const root: Root = { name: undefined, isIndex: false, isWrong: false }

  const want = (what: Wanted): boolean => {
    wanted = what
    if (what === 'title') draft.title = undefined
    return true
  }
  const open = (name: number, prefix: number, bytes: Buffer, start: number, end: number): boolean => {
    switch (name) {
      case locName:
        if (root.isWrong || pictures.has(prefix)) return false
        // A second URL in one entry: the end tag of the previous entry is missing.
        if (draft.url !== '') draft.flush(draft.element, draft.kind)
        return want('url')
      case urlName:
      case itemName:
      case entryName:
      case sitemapName:
        draft.flush(name, root.isIndex || name === sitemapName ? 'sitemap' : 'page')
        return false
      case changedName:
        return draft.changed === '' && want('changed')
      case titleName:
        return outranks(draft, prefix) && want('title')
      case linkName:
        if (draft.element === itemName) return draft.url === '' && want('url')
        takeLink(draft, bytes, start, end)
        return false
      default:
        if (changedInFeeds.has(name) && (draft.element === itemName || draft.element === entryName))
          return draft.changed === '' && want('changed')
        return openRoot(root, draft, name, prefix)
    }
  }
  const close = (name: number): void => {
    if (name === root.name) root.name = undefined
    if (name !== 0 && name === draft.element) draft.flush(0, root.isIndex ? 'sitemap' : 'page')
  }
  const text = (bytes: Buffer, start: number, end: number, kind: TextKind): void => {
    const content = textOf(bytes, start, end, kind)
    if (content !== '' && wanted) draft.say(wanted, content)
  }
  const tokens = xmlTokens({ open, close, text })
  return {
    feed: (bytes) => {
      if (!root.isWrong) tokens.feed(bytes)
      return draft.taken < options.most && !root.isWrong
    },
    end: () => {
      draft.flush(0, 'page')
      return root.isWrong || root.name === undefined
    },
  }
}

interface Root {
  /** Name of the root element while it is open, if it is a sitemap or a feed. */
  name: number | undefined
  isIndex: boolean
  /** Whether this is an HTML page. */
  isWrong: boolean
}

function openRoot(root: Root, draft: Draft, name: number, prefix: number): boolean {
  const isFirst = draft.taken === 0 && draft.element === 0
  if (isFirst && roots.has(name)) root.name = name
  if (name === htmlName) root.isWrong ||= prefix === 0 && isFirst
  if (name !== indexRoot) return false
  root.isIndex = true
  draft.kind = 'sitemap'
  return false
}

interface Draft {
  kind: 'page' | 'sitemap'
  /** Name of the entry element that is open; 0 outside of any. */
  element: number
  url: string
  title: string | undefined
  changed: string
  titleRank: number
  /** Number of entries emitted. */
  taken: number
  say(what: Wanted, text: string): void
  /** Emits the current entry if it is valid, and starts the next one. */
  flush(element: number, kind: 'page' | 'sitemap'): void
}

// The first entries of a site are long-lived. From that V8 learns to allocate objects of this literal in the old generation,
// where a million of them would wait for a full collection and retain their strings. Copies of an object are not affected.
const noEntry: SitemapEntry = { kind: 'page', url: '', title: undefined, changedAt: undefined }

function makeDraft({ entry, most }: ScanOptions): Draft {
  const draft: Draft = {
    kind: 'page',
    element: 0,
    url: '',
    title: undefined,
    changed: '',
    titleRank: 0,
    taken: 0,
    // Comments and CDATA sections split the content of an element into several parts.
    say: (what, text) => {
      if (what === 'url') draft.url += text
      else if (what === 'changed') draft.changed += text
      else draft.title = (draft.title ?? '') + text
    },
    flush: (element, kind) => {
      if (draft.url !== '' && draft.url.length <= maxUrlLength && draft.taken < most) {
        draft.taken += 1
        const changedAt = draft.changed === '' ? undefined : parseDate(draft.changed)
        entry({ ...noEntry, kind: draft.kind, url: draft.url, title: draft.title, changedAt })
      }
      draft.element = element
      draft.kind = kind
      draft.url = ''
      draft.title = undefined
      draft.changed = ''
      draft.titleRank = 0
    },
  }
  return draft
}

/** Returns whether this title describes the page better than the current one, if any. */
function outranks(draft: Draft, prefix: number): boolean {
  const rank = titleRanks.get(prefix) ?? 0
  if (draft.element === 0 || rank <= draft.titleRank) return false
  draft.titleRank = rank
  return true
}

function takeLink(draft: Draft, bytes: Buffer, start: number, end: number): void {
  if (draft.element === entryName && draft.url === '') draft.url = pageLink(bytes.toString('utf8', start, end))
}

function pageLink(attributes: string): string {
  const rel = valueOf(attributes, 'rel')
  return rel === undefined || rel === 'alternate' ? (valueOf(attributes, 'href') ?? '').replaceAll('&amp;', '&') : ''
}

function valueOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  return match?.[1] ?? match?.[2]
}
