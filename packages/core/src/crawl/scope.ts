import { EngineError } from '@harvestman/ports'
import { compilePatterns, isPatternProblem, type Patterns } from '@harvestman/json-schema'
import type { CrawlRequest } from '../schema/crawl.ts'
import { isSameHost, normaliseUrl } from '@harvestman/site'
import { isSkippedFile } from './file-types.ts'
import { hostOf, urlLocations, type UrlLocation } from './hosts.ts'
import { reasons, type Reason } from './reasons.ts'
import type { ThreatRules } from '../threats/rules.ts'

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
> &
  Partial<Pick<CrawlRequest['scrapeOptions'], 'parsers'>>

/** Where a URL was found. */
export type FoundBy =
  | { readonly by: 'sitemap' }
  | {
      readonly by: 'link'
      /** The page with the link, after redirects. */
      readonly page: string
      /** Depth of that page, and whether it is outside the site. */
      readonly depth: number
      readonly isExternal: boolean
    }

/** Decision about a URL. */
export type Verdict = Taken | Left

/** The URL belongs to the crawl. */
export interface Taken {
  readonly take: true
  /** URL to visit, normalized. */
  readonly url: string
  readonly host: string
  /** Number of links from the start. 0 for URLs from sitemaps. */
  readonly depth: number
  readonly isExternal: boolean
}

/** The URL is skipped, for this reason. */
export interface Left {
  readonly take: false
  readonly reason: Reason
  readonly sentence: string
}

/**
 * Scope of a crawl: decides which URLs belong to it. Checks the URL alone; duplicates, the limit and traps are checked later.
 */
export interface CrawlScope {
  /** URL that defines the scope: the requested one, or its redirect target. */
  readonly start: string
  judge(url: string, found: FoundBy): Verdict
  /** Returns whether this reason may not apply if the same link is found on another page. */
  dependsOnPage(reason: Reason): boolean
  /** Checks the start against the patterns and robots.txt only. If it is rejected, it is read for its links only. */
  judgeStart(): Verdict
  /** Decides whether an accepted page still belongs to the crawl after a redirect. */
  judgeLanding(landing: string, page: Pick<Taken, 'depth'>): Verdict
  /** Returns the scope after a redirect of the start. */
  moved(landing: string): CrawlScope
}

/** Returns whether the host's robots.txt allows a URL; true if the rules are not known. Checked last. */
export type AllowedByRobots = (url: URL) => boolean

const dependOnPage: ReadonlySet<Reason> = new Set(['DEPTH_LIMIT', 'SECTION_LINK', 'DISCOVERY_OFF'])

// Maximum length of a URL in sitemaps. It also limits the input for the caller's patterns.
const maxUrlLength = 2048

/** A URL that is being checked. */
interface Candidate {
  readonly url: URL
  readonly text: string
  readonly depth: number
  readonly place: UrlLocation
}

interface Rules {
  readonly start: URL
  readonly locate: (url: URL) => UrlLocation
  /** Path prefix of the crawl. */
  readonly root: string
  readonly request: ScopeRequest
  readonly include: Patterns
  readonly exclude: Patterns
  readonly allows: AllowedByRobots
  readonly threats: ThreatRules | undefined
}

/** Creates the scope of a crawl. Throws `invalid_request` if the start is not a URL or a pattern is invalid. */
export function makeCrawlScope(
  start: string,
  request: ScopeRequest,
  allows: AllowedByRobots = () => true,
  threats?: ThreatRules,
): CrawlScope {
  const url = URL.parse(start)
  if (!url)
    throw new EngineError('invalid_request', `A crawl cannot start at ${JSON.stringify(start)}: it is not a URL.`)
  const include = mustCompile(request.includePaths)
  const exclude = mustCompile(request.excludePaths)
  const root = withoutIndex(url.pathname)
  return scopeOf({ start: url, locate: urlLocations(url), root, request, include, exclude, allows, threats })
}

function scopeOf(rules: Rules): CrawlScope {
  return {
    start: rules.start.href,
    judge: (text, found) => {
      const candidate = read(text, found, rules)
      return typeof candidate === 'string' ? left(candidate) : (judgeWay(candidate, found, rules) ?? taken(candidate))
    },
    dependsOnPage: (reason) =>
      reason === 'EXTERNAL_LINK' ? rules.request.allowExternalLinks : dependOnPage.has(reason),
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
      if (!start) return scopeOf(rules)
      const moved = { ...rules, start, locate: urlLocations(start) }
      // Within a host, the scope stays at the requested path: `/docs` may redirect to `/docs/intro`.
      return scopeOf(
        isSameHost(start.host, rules.start.host) ? moved : { ...moved, root: withoutIndex(start.pathname) },
      )
    },
  }
}

function read(text: string, found: FoundBy, rules: Rules): Candidate | Reason {
  const candidate = readText(text, found.by === 'sitemap' ? 0 : found.depth + 1, rules)
  const isOnItsPage = typeof candidate === 'object' && found.by === 'link' && isSection(candidate.url, found.page)
  return isOnItsPage ? 'SECTION_LINK' : candidate
}

function readText(text: string, depth: number, { request, locate }: Rules): Candidate | Reason {
  const url = URL.parse(text)
  if (!url) return 'URL_PARSE_ERROR'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'NON_WEB_PROTOCOL'
  // Passed as a string, which is parsed again only if it is not normalized yet.
  const normalised = normaliseUrl(url.href, request)
  if (normalised === undefined) return 'URL_PARSE_ERROR'
  if (normalised.length > maxUrlLength) return 'URL_TOO_LONG'
  return { url, text: normalised, depth, place: locate(url) }
}

/**
 * Returns whether the URL is a section of the page with the link (`#section`). A fragment with a slash is a page of a
 * client-side router.
 */
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

/**
 * `isFromOutside`: the link is on an external page, from which no further external page is visited. Links back to the site are
 * allowed.
 */
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
  // The path prefix applies to the host of the start only.
  if (place === 'inside' && !request.crawlEntireDomain && !isBelow(path, root)) return left('BACKWARD_CRAWLING')
  if (rules.threats?.find(url)) return left('UNSAFE_DOMAIN')
  if (!rules.allows(url)) return left('ROBOTS_TXT')
  return isSkippedFile(path, request.parsers ?? []) ? left('FILE_TYPE') : undefined
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

/** As the API documents it: the path starts with the path of the start URL. A trailing slash makes no difference. */
function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) || `${path}/` === root
}

/** Returns the number of path segments. An index page counts as its folder. */
function pathDepth(path: string): number {
  return withoutIndex(path)
    .split('/')
    .filter((segment) => segment !== '').length
}

function withoutIndex(path: string): string {
  return path.replace(/\/index\.(?:html|php)$/, '/')
}

function taken({ url, text, depth, place }: Candidate): Taken {
  return { take: true, url: text, host: hostOf(url), depth, isExternal: place !== 'inside' && place !== 'subdomain' }
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
