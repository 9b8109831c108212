import { z } from 'zod'

import { fromPage, ours, textOf, truncateToBudget, type Answer, type Part } from './answer.ts'
import { maxResponseTokens, outlineOf, passagesOf, tokensOf, defaultResponseTokens } from './budget.ts'
import { defineTool, type ToolContext } from './tool.ts'

/** The fields of an API document that tools read. */
export interface PageDocument {
  readonly markdown?: string
  readonly links?: readonly string[]
  readonly summary?: string
  readonly json?: unknown
  /** The URL of the screenshot. */
  readonly screenshot?: string
  /** Results of actions, by type. */
  readonly actions?: object
  readonly warning?: string
  readonly metadata: {
    readonly title?: string
    readonly url?: string
    readonly sourceURL?: string
    readonly statusCode?: number
    readonly scrapeId?: string
    readonly [key: string]: unknown
  }
}

/** The URL of a page. */
export const pageUrl = z.url({ protocol: /^https?$/ }).describe('The URL, with http:// or https://.')
export const maxTokens = z
  .int()
  .min(200)
  .max(maxResponseTokens)
  .default(defaultResponseTokens)
  .describe('Longest answer, in tokens.')

/**
 * Returns the requested formats of a document. Links and Markdown are cut to the token budget, of which at least 200 are for
 * the Markdown. If that is cut, names the call that returns the rest.
 */
export function documentAnswer(document: PageDocument, formats: readonly string[], maxTokens: number): Answer {
  const { metadata, summary, links, markdown } = document
  const { title, statusCode, scrapeId } = metadata
  const page = addressOf(document)
  const parts = [
    ours([`Status: ${statusCode ?? 'unknown'}`, ...(scrapeId ? [`Id: ${scrapeId}`] : [])].join('\n')),
    ...notes(document),
    fromPage(`Title: ${title ?? '(none)'}`, page),
  ]
  if (summary !== undefined) parts.push(fromPage(summary, page))
  if (formats.includes('metadata')) parts.push(fromPage(JSON.stringify(metadata, null, 2), page))
  if (links) parts.push(fromPage(listOf(links, Math.floor(maxTokens / 3)), page))
  if (markdown === undefined) return parts
  return [...parts, ...contentOf(markdown, page, scrapeId ?? '', maxTokens - tokensOf(textOf(parts)))]
}

const notes = ({ warning }: { readonly warning?: string }): readonly Part[] =>
  warning === undefined ? [] : [ours(`Note: ${warning}`)]

function addressOf({ metadata }: PageDocument): string {
  return metadata.url ?? metadata.sourceURL ?? ''
}

function contentOf(markdown: string, page: string, id: string, tokens: number): Answer {
  const budget = Math.max(200, tokens)
  if (tokensOf(markdown) <= budget) return [fromPage(markdown, page)]
  const outline = outlineText(markdown, Math.floor(budget / 5))
  const rest = Math.max(200, budget - tokensOf(outline))
  const text = truncateToBudget(
    markdown,
    page,
    rest,
    0,
    (offset) => `read {"id": ${JSON.stringify(id)}, "offset": ${offset}}`,
  )
  return [fromPage(outline, page), ...text]
}

function outlineText(markdown: string, tokens: number): string {
  const lines = outlineOf(markdown).map(
    ({ title, depth, offset, tokens }) => `${'  '.repeat(depth - 1)}- ${title} (offset ${offset}, ${tokens} tokens)`,
  )
  let text = 'Outline:'
  for (const line of lines) {
    if (tokensOf(text) + tokensOf(line) > tokens) return `${text}\n- …`
    text += `\n${line}`
  }
  return lines.length > 1 ? text : ''
}

function listOf(links: readonly string[], tokens: number): string {
  let text = `Links (${links.length}):`
  for (const [index, link] of links.entries()) {
    if (tokensOf(text) + tokensOf(link) > tokens) return `${text}\n… and ${links.length - index} more`
    text += `\n${link}`
  }
  return text
}

/**
 * Returns a stored page by the id of its scrape, or by job id and index from 0: `<job>/<number>`. Rejects with an `ApiRefusal`
 * if the scrape or job does not exist, and with an `Error` if the job has no such page.
 */
export async function findPage(id: string, { api, signal }: ToolContext): Promise<PageDocument> {
  const [job, number] = id.split('/')
  if (job === undefined || number === undefined) {
    const { data } = await api.get<{ data: PageDocument }>(`/v2/scrape/${encodeURIComponent(id)}`, signal)
    return data
  }
  const path = `/v2/crawl/${encodeURIComponent(job)}?skip=${Number(number)}&limit=1`
  const { data } = await api.get<{ data: readonly PageDocument[] }>(path, signal)
  const [page] = data
  if (!page) throw new Error(`The job has no page ${number}.`)
  return page
}

/**
 * Returns a stored page as Markdown, in at most `tokens` tokens. If it is longer, the response tells how to read the rest.
 * Rejects as `findPage` does.
 */
export async function pageAnswer(id: string, tokens: number, context: ToolContext): Promise<Answer> {
  const page = await findPage(id, context)
  const readOn = (next: number): string => `read {"id": ${JSON.stringify(id)}, "offset": ${next}}`
  return truncateToBudget(page.markdown ?? '', addressOf(page), tokens, 0, readOn)
}

const pageId = z.string().min(1).max(200).describe('The id of a scrape, or <job>/<number>.')

export const read = defineTool({
  name: 'read',
  title: 'Read on in a page',
  description: 'Returns another part of a scraped page. Free.',
  input: z.object({
    id: pageId,
    offset: z.int().min(0).default(0).describe('Where to start, in characters.'),
    section: z.string().max(300).optional().describe('The title of a section, in place of an offset.'),
    maxTokens,
  }),
  run: async ({ id, offset, section, maxTokens }, context) => {
    const page = await findPage(id, context)
    const markdown = page.markdown ?? ''
    const wanted = section?.toLowerCase()
    const found =
      wanted === undefined ? undefined : outlineOf(markdown).find(({ title }) => title.toLowerCase().includes(wanted))
    if (wanted !== undefined && !found)
      return [
        ours(`No section of this page is called ${JSON.stringify(section)}.`),
        fromPage(outlineText(markdown, maxTokens), addressOf(page)),
      ]
    return truncateToBudget(
      markdown,
      addressOf(page),
      maxTokens,
      found?.offset ?? offset,
      (next) => `read {"id": ${JSON.stringify(id)}, "offset": ${next}}`,
    )
  },
})

export const find = defineTool({
  name: 'find',
  title: 'Find in a page',
  description: 'Finds the passages of a scraped page that contain the words of a query. Free.',
  input: z.object({
    id: pageId,
    query: z.string().min(1).max(500).describe('Words to look for.'),
    limit: z.int().min(1).max(20).default(5).describe('Passages at most.'),
  }),
  run: async ({ id, query, limit }, context) => {
    const page = await findPage(id, context)
    const passages = passagesOf(page.markdown ?? '', query, limit)
    if (passages.length === 0) return [ours('No passage of this page has any of these words.')]
    const text = passages.map(({ offset, text }) => `[offset ${offset}] ${text.slice(0, 2_000)}`).join('\n\n')
    return [fromPage(text, addressOf(page))]
  },
})

export const map = defineTool({
  name: 'map',
  title: 'List the addresses of a site',
  description: 'Finds the URLs of a site from its sitemaps and pages. Price: 1 credit.',
  input: z.object({
    url: pageUrl,
    search: z.string().max(500).optional().describe('Words; matching URLs come first.'),
    limit: z.int().min(1).max(2_000).default(200).describe('URLs at most.'),
  }),
  run: async (request, { api, signal }) => {
    const { links } = await api.post<{ links: readonly { readonly url: string; readonly title?: string }[] }>(
      '/v2/map',
      request,
      signal,
    )
    const lines = links.map(({ url, title }) => (title ? `${url}  ${title}` : url))
    return [
      ours(`${links.length} addresses:`),
      ...truncateToBudget(
        lines.join('\n'),
        request.url,
        maxResponseTokens,
        0,
        () => 'map with a smaller limit or a search',
      ),
    ]
  },
})

interface FoundPage {
  readonly url: string
  readonly title: string
  readonly description?: string
  readonly snippet?: string
  readonly date?: string
}

export const search = defineTool({
  name: 'search',
  needs: { ports: ['search'] },
  title: 'Search',
  description: 'Searches the web, or scraped pages if the server is configured so. Price: 2 credits for 10 results.',
  input: z.object({
    query: z.string().min(1).max(500).describe('What to look for.'),
    limit: z.int().min(1).max(20).default(5).describe('Results at most.'),
    source: z.enum(['web', 'news']).default('web').describe('What to look among.'),
    tbs: z.string().max(200).optional().describe('qdr:d, qdr:w, qdr:m or qdr:y: of the last day, week, month or year.'),
    includeDomains: z.array(z.string()).max(20).optional().describe('Only these domains, as example.com.'),
  }),
  run: async ({ source, ...request }, { api, signal }) => {
    const body = { ...request, sources: [source] }
    const { data, warning } = await api.post<{
      data: Readonly<Record<string, readonly FoundPage[] | undefined>>
      warning?: string
    }>('/v2/search', body, signal)
    const found = data[source] ?? []
    const note = notes({ ...(warning !== undefined && { warning }) })
    if (found.length === 0) return [ours('Nothing was found.'), ...note]
    const lines = found.map(
      ({ url, title, description, snippet, date }, at) =>
        `${at + 1}. ${title}${date === undefined ? '' : ` (${date})`}\n   ${url}\n   ${description ?? snippet ?? ''}`,
    )
    return [fromPage(lines.join('\n'), 'a search'), ...note]
  },
})

export const changes = defineTool({
  name: 'changes',
  needs: { formats: ['changeTracking'] },
  title: 'What changed on a page',
  description: 'Loads a page and returns the lines that changed since the last time. Price: 1 credit.',
  input: z.object({
    url: pageUrl,
    tag: z.string().max(200).optional().describe('A separate history of the same page.'),
    maxTokens,
  }),
  run: async ({ url, tag, maxTokens }, { api, signal }) => {
    const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'], ...(tag !== undefined && { tag }) }]
    const { data } = await api.post<{
      data: {
        changeTracking?: { changeStatus: string; previousScrapeAt?: string | null; diff?: string | { text?: string } }
      }
    }>('/v2/scrape', { url, formats }, signal)
    const { changeStatus = 'unknown', previousScrapeAt, diff } = data.changeTracking ?? {}
    const text = typeof diff === 'string' ? diff : diff?.text
    const since = previousScrapeAt ? ` since ${previousScrapeAt}` : ''
    return [
      ours(`Status: ${changeStatus}${since}`),
      ...(text ? truncateToBudget(text, url, maxTokens, 0, () => 'changes with more maxTokens') : []),
    ]
  },
})
