import { z } from 'zod'

import { mostTokens, outlineOf, passagesOf, tokensOf, usualTokens } from './budget.ts'
import { defineTool, fenced, within, type ToolContext } from './tool.ts'

/** A document as the API gives it, as far as tools read it. */
export interface PageDocument {
  readonly markdown?: string
  readonly links?: readonly string[]
  readonly summary?: string
  readonly json?: unknown
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

const url = z.url({ protocol: /^https?$/ }).describe('The address of the page, with http:// or https://.')
export const maxTokens = z
  .int()
  .min(200)
  .max(mostTokens)
  .default(usualTokens)
  .describe('The longest answer, in tokens (estimated).')

export const scrape = defineTool({
  name: 'scrape',
  title: 'Read a page',
  description:
    'Loads one web page and gives its content as Markdown, or its links, a summary or metadata. Long pages come with an outline; read the rest with the tool read.',
  input: z.object({
    url,
    formats: z
      .array(z.enum(['markdown', 'links', 'summary', 'metadata']))
      .max(4)
      .default(['markdown'])
      .describe('What to give.'),
    onlyMainContent: z.boolean().default(true).describe('Leaves out menus, headers and footers.'),
    waitFor: z
      .int()
      .min(0)
      .max(60_000)
      .optional()
      .describe('Milliseconds to wait for scripts of the page; needs a browser on the server.'),
    maxTokens,
  }),
  run: async ({ maxTokens, ...request }, { api, signal }) => {
    const { data } = await api.post<{ data: PageDocument }>('/v2/scrape', request, signal)
    return documentText(data, request.formats, maxTokens)
  },
})

/** What was asked for of a document, within a budget. */
export function documentText(document: PageDocument, formats: readonly string[], maxTokens: number): string {
  const { metadata, summary, links, markdown } = document
  const parts = [head(document)]
  if (summary !== undefined) parts.push(fenced(summary, addressOf(document)))
  if (formats.includes('metadata')) parts.push(fenced(JSON.stringify(metadata, null, 2), addressOf(document)))
  if (links) parts.push(listOf(links, Math.floor(maxTokens / 3)))
  if (markdown !== undefined) {
    const left = maxTokens - tokensOf(parts.join('\n\n'))
    parts.push(contentOf(document, markdown, metadata.scrapeId ?? '', left))
  }
  return parts.join('\n\n')
}

function head({ metadata, warning }: PageDocument): string {
  const { title, statusCode, scrapeId } = metadata
  const lines = [
    `Title: ${title ?? '(none)'}`,
    `Status: ${statusCode ?? 'unknown'}`,
    ...(scrapeId ? [`Id: ${scrapeId}`] : []),
    ...(warning ? [`Note: ${warning}`] : []),
  ]
  return lines.join('\n')
}

function addressOf({ metadata }: PageDocument): string {
  return metadata.url ?? metadata.sourceURL ?? ''
}

function contentOf(document: PageDocument, markdown: string, id: string, tokens: number): string {
  const budget = Math.max(200, tokens)
  if (tokensOf(markdown) <= budget) return fenced(markdown, addressOf(document))
  const outline = outlineText(markdown, Math.floor(budget / 5))
  const rest = Math.max(200, budget - tokensOf(outline))
  const text = within(markdown, rest, 0, (offset) => `read {"id": ${JSON.stringify(id)}, "offset": ${offset}}`)
  return [outline, fenced(text, addressOf(document))].filter(Boolean).join('\n\n')
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

/** A kept page by the id of its scrape, or by that of a job and its number in it: `<job>/<number>`. */
export async function findPage(id: string, { api, signal }: ToolContext): Promise<PageDocument> {
  const [job, number] = id.split('/')
  if (job === undefined || number === undefined) {
    const { data } = await api.get<{ data: PageDocument }>(`/v2/scrape/${encodeURIComponent(id)}`, signal)
    return data
  }
  const { data } = await api.get<{ data: readonly PageDocument[] }>(
    `/v2/crawl/${encodeURIComponent(job)}?skip=${Number(number)}&limit=1`,
    signal,
  )
  const [page] = data
  if (!page) throw new Error(`The job has no page ${number}.`)
  return page
}

const pageId = z
  .string()
  .min(1)
  .max(200)
  .describe('The id of a page: of a scrape, or <job>/<number> as pages gives it.')

export const read = defineTool({
  name: 'read',
  title: 'Read on in a page',
  description:
    'Gives another part of a page that was scraped before, by its id and an offset or the title of a section.',
  input: z.object({
    id: pageId,
    offset: z.int().min(0).default(0).describe('Where to begin, in letters.'),
    section: z.string().max(300).optional().describe('The title of a section of its outline, in place of an offset.'),
    maxTokens,
  }),
  run: async ({ id, offset, section, maxTokens }, context) => {
    const page = await findPage(id, context)
    const markdown = page.markdown ?? ''
    const wanted = section?.toLowerCase()
    const found =
      wanted === undefined ? undefined : outlineOf(markdown).find(({ title }) => title.toLowerCase().includes(wanted))
    if (wanted !== undefined && !found)
      return `No section of this page is called ${JSON.stringify(section)}.\n\n${outlineText(markdown, maxTokens)}`
    const text = within(
      markdown,
      maxTokens,
      found?.offset ?? offset,
      (next) => `read {"id": ${JSON.stringify(id)}, "offset": ${next}}`,
    )
    return fenced(text, addressOf(page))
  },
})

export const find = defineTool({
  name: 'find',
  title: 'Find in a page',
  description: 'Finds the passages of a scraped page that hold the words of a query.',
  input: z.object({
    id: pageId,
    query: z.string().min(1).max(500).describe('Words to look for.'),
    limit: z.int().min(1).max(20).default(5).describe('Passages at most.'),
  }),
  run: async ({ id, query, limit }, context) => {
    const page = await findPage(id, context)
    const passages = passagesOf(page.markdown ?? '', query, limit)
    if (passages.length === 0) return 'No passage of this page has any of these words.'
    const text = passages.map(({ offset, text }) => `[offset ${offset}] ${text.slice(0, 2_000)}`).join('\n\n')
    return fenced(text, addressOf(page))
  },
})

export const map = defineTool({
  name: 'map',
  title: 'List the addresses of a site',
  description: 'Finds the addresses of a site from its sitemaps and pages, those that fit a search first.',
  input: z.object({
    url,
    search: z.string().max(500).optional().describe('Words; addresses that fit them come first.'),
    limit: z.int().min(1).max(2_000).default(200).describe('Addresses at most.'),
  }),
  run: async (request, { api, signal }) => {
    const { links } = await api.post<{ links: readonly { readonly url: string; readonly title?: string }[] }>(
      '/v2/map',
      request,
      signal,
    )
    const lines = links.map(({ url, title }) => (title ? `${url}  ${title}` : url))
    return fenced(
      within(
        `${links.length} addresses:\n${lines.join('\n')}`,
        mostTokens,
        0,
        () => 'map with a smaller limit or a search',
      ),
      request.url,
    )
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
  title: 'Search',
  description: 'Finds pages by words: on the web, or among those that were scraped, as the server is set up.',
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
    const note = warning === undefined ? [] : [`Note: ${warning}`]
    if (found.length === 0) return ['Nothing was found.', ...note].join('\n\n')
    const lines = found.map(
      ({ url, title, description, snippet, date }, at) =>
        `${at + 1}. ${title}${date === undefined ? '' : ` (${date})`}\n   ${url}\n   ${description ?? snippet ?? ''}`,
    )
    return [fenced(lines.join('\n'), 'a search'), ...note].join('\n\n')
  },
})

export const changes = defineTool({
  name: 'changes',
  title: 'What changed on a page',
  description: 'Compares a page with what it was when it was looked at last, and gives the lines that changed.',
  input: z.object({
    url,
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
      `Status: ${changeStatus}${since}`,
      ...(text
        ? [
            fenced(
              within(text, maxTokens, 0, () => 'changes with more maxTokens'),
              url,
            ),
          ]
        : []),
    ].join('\n\n')
  },
})

export const extract = defineTool({
  name: 'extract',
  title: 'Data from a page',
  description:
    'Gives data of a page as JSON that fits a schema. Values come from the page; what it does not say stays empty.',
  input: z.object({
    url,
    schema: z.record(z.string(), z.unknown()).optional().describe('A JSON Schema of what is wanted.'),
    prompt: z.string().max(10_000).optional().describe('What is wanted, in words.'),
  }),
  run: async ({ url, schema, prompt }, { api, signal }) => {
    const format = { type: 'json', ...(schema && { schema }), ...(prompt !== undefined && { prompt }) }
    const { data } = await api.post<{ data: PageDocument }>('/v2/scrape', { url, formats: [format] }, signal)
    return [
      fenced(JSON.stringify(data.json ?? null, null, 2), url),
      ...(data.warning ? [`Note: ${data.warning}`] : []),
    ].join('\n\n')
  },
})
