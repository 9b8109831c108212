import {
  askForText,
  askForValue,
  citeStatements,
  citeValues,
  isModelError,
  quotedTogether,
  quotingRule,
  readStatements,
  tariff,
  versionOf,
  wordsOfSchema,
  type LLMContext,
  type JobWork,
  type LoadedPage,
  type PageQuestion,
  type WebHit,
} from '@harvestman/core/plugin'
import { EngineError, publicMessage, type Json, type JsonSchema, type LLM } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'

import { beginningOf } from '../beginning-of.ts'
import { pageTokensFor, withinBudget } from '../within-budget.ts'
import type { Finding, ResearchActivity, ResearchFound, ResearchNote, ResearchSource, Round } from './notes.ts'
import type { ResearchRequest } from './request.ts'

export type ResearchWork = JobWork<ResearchNote, { readonly llm: LLM }>

const most = { queries: 3, hits: 5, atOnce: 3, perHost: 2, letters: 50_000, gaps: 5 }

/** Returns the maximum number of pages read in `rounds` rounds: 15 per round. `maxUrls` of the request may be lower. */
export function maxPagesIn(rounds: number): number {
  return rounds * most.queries * most.hits
}

/**
 * Runs a research job and returns its analysis with the sources. The analysis is empty without the format `markdown`. Resumes
 * from the saved steps after a restart. After `timeLimit` seconds, or a model error once a page was read, it concludes from the
 * pages read so far. Rejects with `not_found` if no page could be read, after an abort, and with any other error.
 */
export async function runResearch(request: ResearchRequest, work: ResearchWork): Promise<ResearchFound> {
  const late = AbortSignal.timeout(request.timeLimit * 1_000)
  const used = new Map(findingsIn(work).map(({ source, version }) => [version.hash, source.url]))
  const tools: Tools = { request, work, used, signal: AbortSignal.any([work.signal, late]) }
  try {
    await goRounds(tools)
  } catch (error) {
    work.signal.throwIfAborted()
    // After a timeout or a model error, answers from the pages read so far.
    const isCutShort = isModelError(error) && readIn(tools).length > 0
    if (!late.aborted && !isCutShort) throw error
    if (isCutShort) await tell('reasoning', 'error', `The rounds end here. ${error.message}`, 1, tools)
  }
  return conclude({ ...tools, signal: work.signal })
}

interface Tools {
  readonly request: ResearchRequest
  readonly work: ResearchWork
  /** URL of the first page with each content, by the hash of its version. */
  readonly used: Map<string, string>
  readonly signal: AbortSignal
}

async function goRounds(tools: Tools): Promise<void> {
  const { request, work } = tools
  const last = work.steps.findLast(({ step }) => step.round)?.step.round
  if (last?.isEnough) return
  for (let depth = (last?.depth ?? 0) + 1; depth <= request.maxDepth; depth += 1) {
    if (loadedIn(tools).length >= request.maxUrls) return
    const before = readIn(tools).length
    for (const words of await chooseQueries(depth, tools)) await searchAndRead(words, depth, tools)
    if (readIn(tools).length === before) return
    if ((await judge(depth, tools)).isEnough) return
  }
}

const queriesSchema = {
  type: 'object',
  properties: { queries: { type: 'array', items: { type: 'string' }, maxItems: most.queries } },
  required: ['queries'],
} as const satisfies JsonSchema

async function chooseQueries(depth: number, tools: Tools): Promise<readonly string[]> {
  const { request } = tools
  const round = roundsIn(tools).at(-1)
  const task =
    `Choose what to search for on the web, at most ${most.queries} queries of a few words, to find out: ${request.query}` +
    (round ? '\n\nBelow is what is known already, and what is missing: search for what is missing.' : '')
  const text = round ? `${round.summary}\n\nMissing: ${round.gaps.join('; ')}` : '(nothing is known yet)'
  await tell('reasoning', 'processing', `Choosing what to search for, round ${depth}.`, depth, tools)
  const { queries } = (await ask(task, text, queriesSchema, tools)) as { readonly queries: readonly string[] }
  const words = queries.map((one) => one.trim().slice(0, 400)).filter(Boolean)
  return words.length > 0 ? words.slice(0, most.queries) : [request.query.slice(0, 400)]
}

async function searchAndRead(words: string, depth: number, tools: Tools): Promise<void> {
  const { work, request, signal } = tools
  await tell('search', 'processing', `Searching for ${words}`, depth, tools)
  const hits = await work
    .search(words, most.hits, { signal, isFree: true, maxPerHost: most.perHost })
    .catch(failedAs([], signal))
  await tell('search', 'complete', `Found ${hits.length} pages for ${words}`, depth, tools)
  const known = new Set(loadedIn(tools))
  const fresh = hits.filter(({ url }) => !known.has(url)).slice(0, request.maxUrls - known.size)
  await mapAtMost(fresh, most.atOnce, (hit) => readPage(hit, depth, tools))
}

async function readPage(hit: WebHit, depth: number, tools: Tools): Promise<void> {
  const { work, used, signal } = tools
  try {
    const price = (loaded: LoadedPage): number => (textOf(loaded) === '' ? 0 : tariff.page)
    const page = await work.scrape(hit.url, { signal, price, withBlocks: true })
    const [text, { metadata }] = [textOf(page), page]
    if (text === '') return
    const words = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 1_000) : '')
    const source: ResearchSource = {
      url: hit.url,
      title: words(metadata.title) || (hit.title ?? ''),
      description: words(metadata.description) || (hit.description ?? ''),
      favicon: words(metadata['favicon']),
    }
    const version = await versionOf({ ...page, length: most.letters }, signal)
    const same = used.get(version.hash)
    if (same !== undefined) {
      const message = `${hit.url} has the same content as ${same}, and is not used.`
      await work.keep({ skipped: hit.url })
      return await tell('extract', 'complete', message, depth, tools)
    }
    used.set(version.hash, hit.url)
    await work.keep({ finding: { source, text: beginningOf(text, most.letters), version } })
    await tell('extract', 'complete', `Read ${hit.url}`, depth, tools)
  } catch (error) {
    signal.throwIfAborted()
    if (!EngineError.is(error) || error.code === 'insufficient_credits') throw error
    await tell('extract', 'error', `${hit.url} could not be read. ${publicMessage(error)}`, depth, tools)
  }
}

/** Returns the page text, or an empty string for an error page. */
function textOf({ markdown, metadata }: LoadedPage): string {
  return metadata.statusCode < 400 && markdown.trim() !== '' ? markdown : ''
}

const roundSchema = {
  type: 'object',
  properties: {
    summary: { type: 'string', description: 'What is known now.' },
    gaps: { type: 'array', items: { type: 'string' }, maxItems: most.gaps, description: 'What is still missing.' },
    isEnough: { type: 'boolean', description: 'Whether the question can be answered well.' },
  },
  required: ['summary', 'gaps', 'isEnough'],
} as const satisfies JsonSchema

async function judge(depth: number, tools: Tools): Promise<Round> {
  await tell('analyze', 'processing', `Judging what was found, round ${depth}.`, depth, tools)
  const before = roundsIn(tools).at(-1)
  const task = `Judge whether the pages below answer this: ${tools.request.query}`
  const topic = [tools.request.query, ...(before?.gaps ?? [])].join(' ')
  const text = `${before ? `Known before: ${before.summary}\n\n` : ''}${await findingsText(topic, tools)}`
  const { summary, gaps, isEnough } = (await ask(task, text, roundSchema, tools)) as Omit<Round, 'depth'>
  const round: Round = { depth, summary: summary.slice(0, 8_000), gaps: gaps.slice(0, most.gaps), isEnough }
  await tools.work.keep({ round })
  await tell('analyze', 'complete', isEnough ? 'Enough was found.' : `Missing: ${round.gaps.join('; ')}`, depth, tools)
  return round
}

/** Writes the analysis from the pages that were read, and nothing else. Throws `not_found` if there are none. */
async function conclude(tools: Tools): Promise<ResearchFound> {
  const { request, work } = tools
  const { formats, jsonOptions, analysisPrompt, query } = request
  const sources = readIn(tools)
  if (sources.length === 0) throw new EngineError('not_found', 'No page could be found and read on this question.')
  const depth = Math.max(1, ...roundsIn(tools).map((round) => round.depth))
  await tell('synthesis', 'processing', 'Writing the answer.', depth, tools)
  const task = `${analysisPrompt ?? 'Write a thorough answer in Markdown, and name the addresses it stands on.'}\n\n${quotingRule}\n\nThe question: ${query}`
  const text = await findingsText(query, tools)
  const topicOfData = `${query} ${jsonOptions?.prompt ?? ''} ${wordsOfSchema(jsonOptions?.schema ?? {})}`
  const together = `You did so for parts of what was found. Below is what you wrote of each: make one answer of it. ${quotedTogether}`
  const [report, json] = await Promise.all([
    formats.includes('markdown') ? askForText(llmContextOf(tools), questionOf(task, text, tools), together) : '',
    jsonOptions
      ? askForValue(
          llmContextOf(tools),
          {
            ...questionOf(jsonOptions.prompt ?? query, await findingsText(topicOfData, tools), tools),
            system: jsonOptions.systemPrompt ?? request.systemPrompt,
          },
          jsonOptions.schema ?? { type: 'object' },
        )
      : undefined,
  ])
  const pages = findingsIn(work)
  const { text: finalAnalysis, statements } = readStatements(report)
  const claims = [
    ...(await citeStatements(statements, pages, work.signal)),
    ...(json === undefined ? [] : await citeValues(json, pages, work.signal)),
  ]
  await work.keep({ claims })
  await tell('synthesis', 'complete', 'The answer is written.', depth, tools)
  work.signal.throwIfAborted()
  return { finalAnalysis, sources: [...sources], ...(json !== undefined && { json }) }
}

function ask(task: string, text: string, schema: JsonSchema, tools: Tools): Promise<Json> {
  return askForValue(llmContextOf(tools), questionOf(task, text, tools), schema)
}

function llmContextOf({ work: { ports }, signal }: Tools): LLMContext {
  return { llm: ports.llm, signal, use: () => undefined, warn: () => undefined }
}

function questionOf(task: string, text: string, { request: { systemPrompt } }: Tools): PageQuestion {
  return { task, system: systemPrompt, page: { url: 'several pages, each under its address', text } }
}

function readIn({ work }: Tools): readonly ResearchSource[] {
  return findingsIn(work).map(({ source }) => source)
}

/** Returns the URLs of the charged pages: read pages, and pages with the content of another one. */
function loadedIn({ work }: Tools): readonly string[] {
  return work.steps.flatMap(({ step }) => step.finding?.source.url ?? step.skipped ?? [])
}

function findingsIn({ steps }: ResearchWork): readonly Finding[] {
  return steps.flatMap(({ step }) => step.finding ?? [])
}

function roundsIn({ work }: Tools): readonly Round[] {
  return work.steps.flatMap(({ step }) => step.round ?? [])
}

/** Returns the pages that were read, as far as they fit into a prompt: the parts that match the topic best. */
function findingsText(topic: string, { work, signal }: Tools): Promise<string> {
  const pages = findingsIn(work).map(({ source, text }) => ({
    head: `## ${source.url}\n${source.title}\n\n`,
    markdown: text,
  }))
  return withinBudget(pages, { maxTokens: pageTokensFor(work.ports.llm), topic }, signal)
}

function tell(
  type: ResearchActivity['type'],
  status: ResearchActivity['status'],
  message: string,
  depth: number,
  { work }: Tools,
): Promise<void> {
  const timestamp = new Date(work.clock.now()).toISOString()
  return work.keep({ activity: { type, status, message: message.slice(0, 1_000), timestamp, depth } })
}

/** Returns a handler that replaces an engine error with a default value, unless the work was aborted. */
function failedAs<Value>(instead: Value, signal: AbortSignal): (error: unknown) => Value {
  return (error) => {
    signal.throwIfAborted()
    if (!EngineError.is(error)) throw error
    return instead
  }
}
