// Tools for models that work on scraped pages instead of the web: search, read a chunk, see what changed.
import { z } from 'zod'

import { fitEntries, fromPage, ours, renderedTokens, truncateToBudget, type Answer, type Part } from './answer.ts'
import { maxTokens, pageUrl } from './page-tools.ts'
import { defineTool, type Tool } from './tool.ts'

interface Passage {
  readonly url: string
  readonly title: string
  readonly headings: readonly string[]
  readonly chunk: string
  readonly date: string
  readonly text: string
}

const searchPages = defineTool({
  name: 'search_pages',
  needs: { endpoints: ['passages'] },
  title: 'Search scraped pages',
  description:
    'Finds passages of scraped pages. Each has the page URL and a chunk id: cite the URL. Price: 2 credits for 10 passages.',
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe('Words, "phrases", -word, site:example.com, path:/docs, after:2026-01-01.'),
    limit: z.int().min(1).max(20).default(5).describe('Passages at most.'),
    maxTokens,
  }),
  run: async ({ query, limit, maxTokens }, { api, signal }) => {
    const { data } = await api.post<{
      data: { readonly passages: readonly Passage[]; readonly omitted?: readonly object[] }
    }>('/v2/passages/search', { query, limit, maxTokens }, signal)
    const { passages, omitted = [] } = data
    if (passages.length + omitted.length === 0) return [ours('No scraped page has such a passage.')]
    const answers = passages.map(({ url, title, headings, chunk, date, text }) => [
      ours(`Chunk: ${chunk}, scraped ${date.slice(0, 10)}`),
      fromPage([shorten(title), pathOf(headings), '', text].join('\n'), url),
    ])
    const shown = fitting(answers, maxTokens - noteTokens)
    const left = passages.length - shown.length + omitted.length
    return [...shown.flat(), ...(left > 0 ? [ours(`${left} more passages did not fit. Raise maxTokens.`)] : [])]
  },
})

/** Tokens of a remark after the content. */
const noteTokens = 50
const maxTitle = 200

function shorten(text: string): string {
  return text.length > maxTitle ? `${text.slice(0, maxTitle - 1).replace(/\p{Cs}$/u, '')}…` : text
}

function pathOf(headings: readonly string[]): string {
  return shorten(headings.join(' > '))
}

/** Returns the answers that fit into the budget as they are rendered, in order. Later ones may fit where an earlier one does not. */
function fitting(answers: readonly Answer[], tokens: number): readonly Answer[] {
  let left = tokens
  return answers.filter((answer) => {
    const size = renderedTokens(answer)
    if (size > left) return false
    left -= size
    return true
  })
}

interface Chunk {
  readonly id: string
  readonly text: string
  readonly headings: readonly string[]
}

/** Minimum tokens of the content, also for very long URLs. */
const minText = 50
const copyAge = 7 * 86_400_000

const readChunk = defineTool({
  name: 'read_chunk',
  needs: { formats: ['chunks'] },
  title: 'Read a chunk and its surroundings',
  description:
    'Returns a chunk of a page with the chunks before and after it. Price: 1 credit, or nothing from a copy of the last 7 days.',
  input: z.object({
    url: pageUrl,
    chunk: z.string().min(1).max(100).describe('The chunk id of a passage.'),
    around: z.int().min(0).max(20).default(1).describe('Chunks before and after it.'),
    maxTokens,
  }),
  run: async ({ url, chunk, around, maxTokens }, { api, signal }) => {
    const { data } = await api.post<{ data: { readonly chunks?: readonly Chunk[] } }>(
      '/v2/scrape',
      { url, formats: ['chunks'], maxAge: copyAge },
      signal,
    )
    const { chunks = [] } = data
    const budgetOf = (about: Part): number =>
      Math.max(minText, maxTokens - noteTokens - renderedTokens([about, fromPage(' ', url)]))
    const index = chunks.findIndex(({ id }) => id === chunk)
    if (index < 0) {
      const known = chunks.map(({ id, headings }) => `${id}  ${pathOf(headings)}`).join('\n')
      const about = ours('The page has no such chunk any more. It has these:')
      return [about, ...truncateToBudget(known, url, budgetOf(about), 0, () => 'read_chunk with one of these')]
    }
    const text = chunks
      .slice(Math.max(0, index - around), index + around + 1)
      .map(({ text }) => text)
      .join('\n\n')
    const about = ours(`Chunk ${index + 1} of ${chunks.length}`)
    return [about, ...truncateToBudget(text, url, budgetOf(about), 0, () => 'read_chunk with a smaller around')]
  },
})

interface Change {
  readonly change: string
  readonly page: string
  readonly id: string
  readonly headings: readonly string[]
  readonly chunk?: { readonly text: string }
}

const whatChanged = defineTool({
  name: 'what_changed',
  needs: { formats: ['chunkChanges'], endpoints: ['chunks'] },
  title: 'What a crawl found changed',
  description: 'Returns the chunks that a finished crawl with chunkChanges found added, changed and removed. Free.',
  input: z.object({
    job: z.guid().describe('The id of the crawl.'),
    after: z.string().max(30).optional().describe('The `after` that the last call named.'),
    maxTokens,
  }),
  run: async ({ job, after, maxTokens }, { api, signal }) => {
    const load = (limit: number): Promise<Changes> => {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) })
      return api.get(`/v2/chunks/changes/${encodeURIComponent(job)}?${query.toString()}`, signal)
    }
    const budget = maxTokens - noteTokens
    const first = await load(100)
    const count = listed(first.data, budget)
    // Only the server knows where the list continues after fewer changes.
    const { data, next } = count < first.data.length ? await load(count) : first
    const answer = changesAnswer(data, budget)
    if (next === undefined) return data.length === 0 ? [ours('There are no further changes.')] : answer
    return [...answer, ours(`There may be more. Next: what_changed ${JSON.stringify({ job, after: next })}`)]
  },
})

interface Changes {
  readonly data: readonly Change[]
  readonly next?: string
}

function changeAnswer({ change, page, id, headings }: Change, text: string): Answer {
  return [ours(`${change} ${id}`), fromPage(`${pathOf(headings)}\n\n${text}`.trim(), page)]
}

const omittedText = '(too long)'

/** Returns how many changes fit into the budget without their chunks, at least 1. */
function listed(changes: readonly Change[], tokens: number): number {
  let left = tokens
  const end = changes.findIndex((change) => {
    left -= renderedTokens(changeAnswer(change, omittedText))
    return left < 0
  })
  return end < 0 ? changes.length : Math.max(1, end)
}

/** Lists changes. Chunks that do not fit are omitted, so that every change is listed. */
function changesAnswer(changes: readonly Change[], tokens: number): Answer {
  const entries = changes.map((change) => ({
    short: changeAnswer(change, omittedText),
    full: changeAnswer(change, change.chunk?.text ?? ''),
  }))
  return fitEntries(entries, tokens)
}

/** The tools for retrieval. */
export const retrievalTools: readonly Tool[] = [searchPages, readChunk, whatChanged]
