import type { z } from 'zod'

import { compilePatterns, isPatternProblem } from '@harvestman/json-schema'
import { type Json, isRecord } from '@harvestman/ports'
import { crawlOptions } from '../schema/crawl.ts'

const proposable = [
  'includePaths',
  'excludePaths',
  'maxDiscoveryDepth',
  'limit',
  'sitemap',
  'crawlEntireDomain',
  'allowSubdomains',
  'allowExternalLinks',
  'ignoreQueryParameters',
  'deduplicateSimilarURLs',
  'ignoreRobotsTxt',
  'robotsUserAgent',
  'delay',
] as const

type Proposable = (typeof proposable)[number]

/** Crawl options that a model may propose. */
export type CrawlProposal = { readonly [Name in Proposable]?: z.input<ReturnType<typeof crawlOptions>[Name]> }

/** An option that a model proposed and that was rejected. */
export interface DroppedOption {
  readonly option: string
  /** One sentence. */
  readonly reason: string
}

export interface Judged {
  readonly options: CrawlProposal
  readonly dropped: readonly DroppedOption[]
}

const maxPages = 10_000
const maxProposedOptions = 50

/**
 * Returns the options that are valid and fit the site. The others are in `dropped`, each with a reason, except `url`, empty
 * values and all after the first 50 properties, which are ignored. No output of a model is used unchecked.
 */
export function judgeOptions(proposed: Json, prompt: string, url: string, urls: readonly string[]): Judged {
  const options: Record<string, unknown> = {}
  const dropped: DroppedOption[] = []
  const drop = (option: string, reason: string): void => void dropped.push({ option: option.slice(0, 100), reason })
  for (const [name, value] of entriesOf(proposed).slice(0, maxProposedOptions)) {
    // Name of the option in version 1, which models also know.
    const option = name === 'maxDepth' ? 'maxDiscoveryDepth' : name
    // Other ways to omit an option.
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue
    if (name === 'url') continue
    if (!isProposable(option)) drop(option, 'a crawl has no such option.')
    else {
      const result = crawlOptions()[option].safeParse(value)
      const wrong = result.success ? unwanted(option, value, prompt) : problemOf(result.error)
      if (wrong === undefined) options[option] = value
      else drop(option, wrong)
    }
  }
  groundPaths(options, url, urls, drop)
  return { options, dropped }
}

function entriesOf(value: Json): readonly (readonly [string, Json | undefined])[] {
  return isRecord(value) ? Object.entries(value) : []
}

function isProposable(name: string): name is Proposable {
  return (proposable as readonly string[]).includes(name)
}

function problemOf({ issues }: z.ZodError): string {
  const [issue] = issues
  return `it is not right: ${issue?.message ?? 'unknown'}.`
}

/** Returns the reason why a model may not choose a valid option; `undefined` if it may. */
function unwanted(option: Proposable, value: Json | undefined, prompt: string): string | undefined {
  if (option === 'limit' && Number(value) > maxPages) return `it is more than ${maxPages}.`
  const isAboutRobots = option === 'ignoreRobotsTxt' || option === 'robotsUserAgent'
  if (isAboutRobots && value !== false && !/robots?\b/i.test(prompt)) return 'the prompt does not ask for it.'
  return undefined
}

/** Drops path patterns that match no known URL of the site, or exclude every one. Such a crawl would have one page at most. */
function groundPaths(
  options: Record<string, unknown>,
  url: string,
  urls: readonly string[],
  drop: (option: string, reason: string) => void,
): void {
  const paths = [...new Set([url, ...urls].map(pathOf))]
  if (urls.length === 0) return
  const finds = (pattern: string): number => {
    const compiled = compilePatterns([pattern])
    return isPatternProblem(compiled) ? 0 : paths.filter((path) => compiled.find(path) !== undefined).length
  }
  const sift = (option: 'includePaths' | 'excludePaths', isGood: (found: number) => boolean, says: string): void => {
    const patterns = options[option] as readonly string[] | undefined
    if (!patterns) return
    const good = patterns.filter((pattern) => isGood(finds(pattern)))
    for (const pattern of patterns) if (!good.includes(pattern)) drop(`${option} ${pattern}`, says)
    if (good.length > 0) options[option] = good
    else delete options[option]
  }
  const among = `of the ${urls.length} addresses of the site that are known`
  sift('includePaths', (found) => found > 0, `it finds none ${among}.`)
  sift('excludePaths', (found) => found < paths.length, `it leaves out all ${among}.`)
}

function pathOf(address: string): string {
  return URL.parse(address)?.pathname ?? '/'
}
