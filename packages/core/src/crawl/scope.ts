import { EngineError } from '@harvestman/ports'
import { compilePatterns, isPatternProblem, type Patterns } from '@harvestman/json-schema'
import type { CrawlRequest } from '../schema/crawl.ts'
import { isSameHost, normaliseUrl } from '@harvestman/site'
import { isSkippedFile } from './file-types.ts'
import { placeOf, type Place } from './hosts.ts'
import { reasons, type Reason } from './reasons.ts'

export type ScopeRequest = Pick<
  CrawlRequest,
  | 'includePaths'
  | 'excludePaths'
  | 'regexOnFullURL'
  | 'maxDiscoveryDepth'
  | 'maxPathDepth'
  | 'sitemap'
  | 'ignoreQueryParameters'
  | 'crawlEntireDomain'
  | 'allowExternalLinks'
  | 'allowSubdomains'
>

/** Source of an address. */
export type FoundBy =
  | { readonly by: 'sitemap' }
  | {
      readonly by: 'link'
      /** The page the link is on, where it was after redirects. */
      readonly page: string
      /** The depth of that page, and whether it lies outside the site. */
      readonly depth: number
      readonly isExternal: boolean
    }

export type Verdict = Taken | Left

export interface Taken {
  readonly take: true
  /** Address as it is to be visited. */
  readonly url: string
  readonly host: string
  /** Hops from the start; addresses of sitemaps are at 0. */
  readonly depth: number
  readonly isExternal: boolean
}

export interface Left {
  readonly take: false
  readonly reason: Reason
  readonly sentence: string
}

/** Scope of a crawl: which addresses belong to it. It looks at the address alone; seen, limit and traps come later. */
export interface CrawlScope {
  /** The address the crawl is about: that of the request, or where the start redirects to. */
  readonly start: string
  judge(url: string, found: FoundBy): Verdict
  /** The start needs not be found, but must fit the patterns and robots.txt: otherwise it is read for its links only. */
  judgeStart(): Verdict
  /** A page that was taken and redirected: whether what came may be kept. */
  judgeLanding(landing: string, page: Pick<Taken, 'depth'>): Verdict
  /** The scope after the start redirected. */
  moved(landing: string): CrawlScope
}

/** Verdict of the host's robots.txt, where it is known; it is asked last. */
export type AllowedByRobots = (url: URL) => boolean

// No sitemap may hold a longer one, and patterns of a caller are bounded by it.
const longestUrl = 2048

/** An address on its way through the rules. */
interface Candidate {
  readonly url: URL
  readonly text: string
  readonly depth: number
  readonly place: Place
}

interface Rules {
  readonly start: URL
  /** Prefix of the paths of the crawl. */
  readonly root: string
  readonly request: ScopeRequest
  readonly include: Patterns
  readonly exclude: Patterns
  readonly allows: AllowedByRobots
}

export function makeCrawlScope(start: string, request: ScopeRequest, allows: AllowedByRobots = () => true): CrawlScope {
  const url = URL.parse(start)
  if (!url)
    throw new EngineError('invalid_request', `A crawl cannot start at ${JSON.stringify(start)}: it is no address.`)
  const include = mustCompile(request.includePaths)
  const exclude = mustCompile(request.excludePaths)
  return scopeOf({ start: url, root: withoutIndex(url.pathname), request, include, exclude, allows })
}

function scopeOf(rules: Rules): CrawlScope {
  return {
    start: rules.start.href,
    judge: (text, found) => {
      const candidate = read(text, found, rules)
      return typeof candidate === 'string' ? left(candidate) : (judgeWay(candidate, found, rules) ?? taken(candidate))
    },
    judgeStart: () => {
      const candidate = readText(rules.start.href, 0, rules)
      return typeof candidate === 'string' ? left(candidate) : (judgeContents(candidate, rules) ?? taken(candidate))
    },
    judgeLanding: (landing, { depth }) => {
      const candidate = readText(landing, depth, rules)
      if (typeof candidate === 'string') return redirected(landing, left(candidate))
      const problem = judgePlace(candidate, false, rules) ?? judgePage(candidate, rules)
      return problem ? redirected(landing, problem) : taken(candidate)
    },
    moved: (landing) => {
      const start = URL.parse(landing)
      // On one host the path that was asked for stays what the crawl is about: `/docs` may well redirect to `/docs/intro`.
      if (!start || isSameHost(start.host, rules.start.host)) return scopeOf({ ...rules, start: start ?? rules.start })
      return scopeOf({ ...rules, start, root: withoutIndex(start.pathname) })
    },
  }
}

function read(text: string, found: FoundBy, rules: Rules): Candidate | Reason {
  const candidate = readText(text, found.by === 'sitemap' ? 0 : found.depth + 1, rules)
  const isOnItsPage = typeof candidate === 'object' && found.by === 'link' && isSection(candidate.url, found.page)
  return isOnItsPage ? 'SECTION_LINK' : candidate
}

function readText(text: string, depth: number, { request, start }: Rules): Candidate | Reason {
  const url = URL.parse(text)
  if (!url) return 'URL_PARSE_ERROR'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'NON_WEB_PROTOCOL'
  // Given as a text it is read again only when it is not yet as it should be.
  const normalised = normaliseUrl(url.href, request)
  if (normalised === undefined) return 'URL_PARSE_ERROR'
  if (normalised.length > longestUrl) return 'URL_TOO_LONG'
  return { url, text: normalised, depth, place: placeOf(url, start) }
}

/** `#place` on the page itself. A fragment with a slash is the address of a page that draws itself. */
function isSection(url: URL, page: string): boolean {
  if (url.hash === '' || url.hash.includes('/')) return false
  const end = page.indexOf('#')
  return url.href.slice(0, -url.hash.length) === (end < 0 ? page : page.slice(0, end))
}

function judgeWay(candidate: Candidate, found: FoundBy, rules: Rules): Left | undefined {
  const { sitemap, maxDiscoveryDepth } = rules.request
  if (found.by === 'link' && sitemap === 'only') return left('DISCOVERY_OFF')
  if (candidate.depth > (maxDiscoveryDepth ?? Number.POSITIVE_INFINITY)) return left('DEPTH_LIMIT')
  return judgePlace(candidate, found.by === 'link' && found.isExternal, rules) ?? judgePage(candidate, rules)
}

/** `isFromOutside`: the link was found outside, where the one hop ended; the way back in is free. */
function judgePlace({ url, place }: Candidate, isFromOutside: boolean, { request }: Rules): Left | undefined {
  switch (place) {
    case 'inside':
      return undefined
    case 'subdomain':
      return request.allowSubdomains ? undefined : left('SUBDOMAIN')
    case 'social':
      return left('SOCIAL_MEDIA')
    case 'outside': {
      const isHome = url.pathname === '/' && url.search === ''
      return request.allowExternalLinks && !isFromOutside && !isHome ? undefined : left('EXTERNAL_LINK')
    }
  }
}

function judgePage(candidate: Candidate, rules: Rules): Left | undefined {
  const { request, root } = rules
  const { url, place } = candidate
  const path = url.pathname
  const { maxPathDepth } = request
  if (maxPathDepth !== undefined && pathDepth(path) > maxPathDepth + pathDepth(root)) return left('DEPTH_LIMIT')
  const patterns = judgePatterns(candidate, rules)
  if (patterns) return patterns
  // The request does not say which paths of other hosts are meant.
  if (place === 'inside' && !request.crawlEntireDomain && !isBelow(path, root)) return left('BACKWARD_CRAWLING')
  if (!rules.allows(url)) return left('ROBOTS_TXT')
  return isSkippedFile(path) ? left('FILE_TYPE') : undefined
}

function judgeContents(candidate: Candidate, rules: Rules): Left | undefined {
  return judgePatterns(candidate, rules) ?? (rules.allows(candidate.url) ? undefined : left('ROBOTS_TXT'))
}

function judgePatterns({ url, text }: Candidate, { request, include, exclude }: Rules): Left | undefined {
  if (exclude.isEmpty && include.isEmpty) return undefined
  const target = request.regexOnFullURL ? text : url.pathname
  const excluding = exclude.find(target)
  if (excluding !== undefined)
    return left('EXCLUDE_PATTERN', `The URL matches the pattern ${JSON.stringify(excluding)} of \`excludePaths\`.`)
  return include.isEmpty || include.find(target) !== undefined ? undefined : left('INCLUDE_PATTERN')
}

/** The words of the contract: the path begins with that of the start. A slash at its end asks for nothing more. */
function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) || `${path}/` === root
}

/** Segments of a path; an index page is the folder it is in. */
function pathDepth(path: string): number {
  return withoutIndex(path)
    .split('/')
    .filter((segment) => segment !== '').length
}

function withoutIndex(path: string): string {
  return path.replace(/\/index\.(?:html|php)$/, '/')
}

function taken({ url, text, depth, place }: Candidate): Taken {
  return { take: true, url: text, host: url.host, depth, isExternal: place !== 'inside' && place !== 'subdomain' }
}

function redirected(landing: string, { sentence }: Left): Left {
  return left('REDIRECT', `The page redirects to ${landing}. ${sentence}`)
}

function left(reason: Reason, sentence: string = reasons[reason]): Left {
  return { take: false, reason, sentence }
}

function mustCompile(sources: readonly string[]): Patterns {
  const patterns = compilePatterns(sources)
  if (isPatternProblem(patterns)) throw new EngineError('invalid_request', `A list of patterns ${patterns.problem}.`)
  return patterns
}
