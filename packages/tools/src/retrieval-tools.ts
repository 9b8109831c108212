// Tools for models that work on scraped pages instead of the web: search, read a chunk, see what changed.
import { z } from 'zod'

import { fromPage, ours, truncateToBudget, type Answer, type Part } from './answer.ts'
import { tokensOf } from './budget.ts'
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
    const note = omitted.length > 0 ? [ours(`${omitted.length} more passages did not fit. Raise maxTokens.`)] : []
    if (passages.length === 0) return [ours('No scraped page has such a passage.'), ...note]
    return [
      ...passages.flatMap(({ url, title, headings, chunk, date, text }) => [
        ours(`Chunk: ${chunk}, scraped ${date.slice(0, 10)}`),
        fromPage([title, headings.join(' > '), '', text].join('\n'), url),
      ]),
      ...note,
    ]
  },
})

interface Chunk {
  readonly id: string
  readonly text: string
  readonly headings: readonly string[]
}

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
    const index = chunks.findIndex(({ id }) => id === chunk)
    if (index < 0) {
      const known = chunks.map(({ id, headings }) => `${id}  ${headings.join(' > ')}`).join('\n')
      return [
        ours('The page has no such chunk any more. It has these:'),
        ...truncateToBudget(known, url, maxTokens, 0, () => 'read_chunk with one of these'),
      ]
    }
    const text = chunks
      .slice(Math.max(0, index - around), index + around + 1)
      .map(({ text }) => text)
      .join('\n\n')
    return [
      ours(`Chunk ${index + 1} of ${chunks.length}`),
      ...truncateToBudget(text, url, maxTokens, 0, () => 'read_chunk with a smaller around'),
    ]
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
    const query = new URLSearchParams({ limit: '100', ...(after !== undefined && { after }) })
    const { data, next } = await api.get<{ readonly data: readonly Change[]; readonly next?: string }>(
      `/v2/chunks/changes/${encodeURIComponent(job)}?${query.toString()}`,
      signal,
    )
    const parts = changeParts(data, maxTokens)
    if (next === undefined) return data.length === 0 ? [ours('There are no further changes.')] : parts
    return [...parts, ours(`There may be more. Next: what_changed ${JSON.stringify({ job, after: next })}`)]
  },
})

/** Lists changes. Texts that do not fit are omitted, so that every change is listed. */
function changeParts(changes: readonly Change[], maxTokens: number): Answer {
  let left = maxTokens
  return changes.flatMap(({ change, page, id, headings, chunk }): readonly Part[] => {
    const text = chunk?.text ?? ''
    const tokens = tokensOf(text)
    const isShown = tokens <= left
    if (isShown) left -= tokens
    return [
      ours(`${change} ${id}`),
      fromPage(`${headings.join(' > ')}\n\n${isShown ? text : '(too long)'}`.trim(), page),
    ]
  })
}

/** The tools for retrieval. */
export const retrievalTools: readonly Tool[] = [searchPages, readChunk, whatChanged]
