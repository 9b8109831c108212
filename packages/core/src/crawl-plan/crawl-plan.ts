// Crawl options from a prompt. A language model proposes options; only valid ones that fit the site are used.
import { EngineError, type Json, type LLM } from '@harvestman/ports'
import { llmPort } from '../plugin/core-ports.ts'
import { missingPort } from '../plugin/missing-port.ts'
import type { CrawlPlanRequest } from '../schema/crawl-plan.ts'
import { judgeOptions, type CrawlProposal, type DroppedOption } from './judge.ts'
import { outlineOf } from './outline.ts'

/** Crawl options that a model derived from a prompt. */
export interface CrawlPlan {
  readonly url: string
  /** Options in the format of a crawl request. Absent if the model did not choose them. */
  readonly options: CrawlProposal
  /** Proposals of the model that were rejected, with the reasons. */
  readonly dropped: readonly DroppedOption[]
  readonly warning?: string
}

export interface CrawlPlanKit {
  readonly llm: LLM | undefined
  readonly signal: AbortSignal
  /** Returns some URLs of the site. Rejects if the site cannot be reached. */
  urls(url: string): Promise<readonly string[]>
}

const task = (prompt: string): string =>
  `Plan a crawl of a web site. What is wanted: ${prompt}

Answer with one JSON object that has only the options that this calls for, and leave out all others:
- includePaths: list of regular expressions (RE2); only paths that one of them finds are visited, as "^/docs/.*"
- excludePaths: list of regular expressions; paths that one of them finds are not visited
- maxDiscoveryDepth: whole number; how many links away from the start
- limit: whole number; the most pages
- sitemap: "include", "skip" or "only"
- crawlEntireDomain: true to leave the path of the start for the rest of its host
- allowSubdomains, allowExternalLinks: true or false
- ignoreQueryParameters: true when addresses that differ only after the ? are the same page
- deduplicateSimilarURLs: true or false
- delay: seconds between two pages
- ignoreRobotsTxt, robotsUserAgent: only when asked for by name

Below are addresses of the site, where they are known: use paths that exist.`

/** Accepts any object: invalid options are dropped rather than requested again. */
const anyObject = { type: 'object' } as const

/**
 * Proposes the options of a crawl. An empty prompt gives no options. Rejects with `not_configured` without a language model,
 * `invalid_request` if the model fails, `url_blocked`, `model_unavailable`, and the signal's reason. Rejected options are in
 * `dropped`, and a warning names them.
 */
export async function planCrawl({ url, prompt }: CrawlPlanRequest, kit: CrawlPlanKit): Promise<CrawlPlan> {
  const { llm, signal } = kit
  if (prompt === '') return { url, options: {}, dropped: [] }
  if (!llm) throw missingPort(llmPort, 'A crawl from a prompt')
  const warnings: string[] = []
  const urls = await findUrls(url, kit, warnings)
  const llmContext = { llm, signal, use: () => undefined, warn: (sentence: string) => void warnings.push(sentence) }
  const page = { url, text: outlineOf(urls) }
  const { askForValue } = await import('@harvestman/asking')
  const proposed = await propose(() => askForValue(llmContext, { task: task(prompt), page }, anyObject))
  const { options, dropped } = judgeOptions(proposed, prompt, url, urls)
  for (const { option, reason } of dropped) warnings.push(`${option} was left out: ${reason}`)
  return { url, options, dropped, ...(warnings.length > 0 && { warning: warnings.join(' ') }) }
}

/** Throws `invalid_request` if every proposed option was rejected, because the crawl would not match the prompt. */
export function requireOptions({ options, dropped }: CrawlPlan): void {
  if (dropped.length === 0 || Object.keys(options).length > 0) return
  const reasons = dropped.map(({ option, reason }) => `${option}: ${reason}`).join(' ')
  throw new EngineError('invalid_request', `${cannotUse} ${reasons}`)
}

const cannotUse = 'The prompt could not be turned into crawl options. Rephrase it, or set the options yourself.'

async function findUrls(url: string, { urls, signal }: CrawlPlanKit, warnings: string[]): Promise<readonly string[]> {
  try {
    return await urls(url)
  } catch (error) {
    signal.throwIfAborted()
    if (!EngineError.is(error) || error.code === 'url_blocked') throw error
    warnings.push('The site could not be read, so its paths are guesses.')
    return []
  }
}

async function propose(ask: () => Promise<Json>): Promise<Json> {
  try {
    return await ask()
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'model_failed') throw error
    throw new EngineError('invalid_request', cannotUse, { cause: error })
  }
}
