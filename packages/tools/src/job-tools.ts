import { z } from 'zod'

import { fromPage, ours, truncateToBudget, type Answer, type Part } from './answer.ts'
import { tokensOf, defaultResponseTokens } from './budget.ts'
import type { PageDocument } from './page-tools.ts'
import { defineTool, type ToolContext } from './tool.ts'
import { linksOfJob, profileInput, withProfile, type JobLinks } from './user-links.ts'
import { ApiRefusal } from './web-api.ts'

interface JobStatus {
  readonly status: string
  /** Absent on other servers with the same API. */
  readonly outcome?: string
  readonly failed?: number
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
  readonly message?: string
}

/** Milliseconds that a call waits for a job before it returns the id and leaves the job running. */
export const maxWait = 45_000
export const pollInterval = 500

export const jobId = z.string().min(1).max(100).describe('The id of a job.')

export const crawl = defineTool({
  name: 'crawl',
  title: 'Crawl a site',
  description: 'Reads the pages of a site. After 45 s, returns an id for job. Price: 1 credit a page.',
  isReadOnly: false,
  input: z.object({
    url: z.url({ protocol: /^https?$/ }).describe('Where to start.'),
    limit: z.int().min(1).max(1_000).default(20).describe('Pages at most.'),
    includePaths: z.array(z.string().max(500)).max(50).optional().describe('Patterns of paths to visit (regex).'),
    excludePaths: z.array(z.string().max(500)).max(50).optional().describe('Patterns of paths to skip (regex).'),
    profile: profileInput,
    wait: z.boolean().default(true).describe('False: only the id.'),
  }),
  run: async ({ wait, profile, ...options }, context) => {
    const links = await linksOfJob({ url: options.url, profile }, context)
    const page = { ...withProfile(profile), ...(links.canWait && wait && { person: {} }) }
    const request = { ...options, ...(profile !== undefined && { scrapeOptions: page }) }
    const id = links.job ?? (await context.api.post<{ id: string }>('/v2/crawl', request, context.signal)).id
    const status = wait ? await untilDone(id, context, links.check) : await statusOf(id, context)
    return [ours(tell(id, status)), ...(await pagesOf(id, 0, defaultResponseTokens, context))]
  },
})

function statusOf(id: string, { api, signal }: ToolContext): Promise<JobStatus> {
  return api.get<JobStatus>(`/v2/crawl/${encodeURIComponent(id)}?limit=1`, signal)
}

async function untilDone(id: string, context: ToolContext, check: JobLinks['check']): Promise<JobStatus> {
  const end = performance.now() + maxWait
  for (;;) {
    const status = await statusOf(id, context)
    context.progress(status.completed, status.total, `${status.completed} of ${status.total} pages`)
    if (status.status !== 'scraping' || performance.now() > end) return status
    await check(id)
    await new Promise((go) => setTimeout(go, pollInterval))
    context.signal.throwIfAborted()
  }
}

function tell(
  id: string,
  { status, outcome = status, failed = 0, total, completed, creditsUsed, message }: JobStatus,
): string {
  const next = status === 'scraping' ? ` It goes on; look again with job {"id": "${id}"}.` : ''
  const failures = failed > 0 ? `, ${failed} failed` : ''
  const head = `Job ${id}: ${outcome.replaceAll('_', ' ')}, ${completed} of ${total} pages${failures}, ${creditsUsed} credits.`
  return `${head}${message ? ` ${message}` : ''}${next}`
}

interface JobPages extends JobStatus {
  readonly data?: readonly PageDocument[]
  /** Absent on the last page. */
  readonly next?: string
}

/**
 * Lists up to 50 pages of a crawl from number `cursor`, within a token budget, and names the call that returns the next ones.
 * Rejects with an `ApiRefusal` if the job does not exist.
 */
export async function pagesOf(
  id: string,
  cursor: number,
  tokens: number,
  { api, signal }: ToolContext,
): Promise<Answer> {
  const {
    status,
    data = [],
    next,
  } = await api.get<JobPages>(`/v2/crawl/${encodeURIComponent(id)}?skip=${cursor}&limit=50`, signal)
  const lines: string[] = []
  for (const [index, { metadata, markdown = '' }] of data.entries()) {
    const line = `- ${(metadata.title ?? '(no title)').slice(0, 200)}  ${(metadata.url ?? metadata.sourceURL ?? '').slice(0, 1_000)}  ${tokensOf(markdown)} tokens, id ${id}/${cursor + index}`
    if (tokensOf(lines.join('\n')) + tokensOf(line) > tokens) break
    lines.push(line)
  }
  const more = `pages {"id": "${id}", "cursor": ${cursor + lines.length}}`
  const isMore = lines.length < data.length || next !== undefined
  const left = isMore && status !== 'scraping' ? `Next: ${more}.` : isMore ? `More later: ${more}.` : 'These are all.'
  if (lines.length === 0)
    return [ours(status === 'scraping' ? `No pages yet. ${left}` : 'There are no pages from here on.')]
  return [listed(lines), ours(`${left} A page: read {"id": "${id}/${cursor}"}.`)]
}

/** Marks titles and URLs as page content. */
const listed = (lines: readonly string[]): Part => fromPage(lines.join('\n'), 'pages')

export const job = defineTool({
  name: 'job',
  title: 'How a job stands',
  description: 'Returns the progress of a crawl, and its failures by cause.',
  input: z.object({ id: jobId }),
  run: async ({ id }, context) => {
    const { api, signal } = context
    const status = await statusOf(id, context)
    const { errors = [] } = await api.get<{
      errors?: readonly { readonly code?: string; readonly error: string; readonly url: string }[]
    }>(`/v2/crawl/${encodeURIComponent(id)}/errors`, signal)
    const groups = [...Map.groupBy(errors, ({ code, error }) => code ?? error)].map(
      ([code, all]) => `- ${code}: ${all.length}, for example ${all[0]?.url}`,
    )
    return [ours(tell(id, status)), ...(groups.length > 0 ? [ours('Failed:'), listed(groups.slice(0, 20))] : [])]
  },
})

export const pages = defineTool({
  name: 'pages',
  title: 'Pages of a job',
  description: 'Lists the pages of a crawl with their titles, sizes and ids; read gives their text.',
  input: z.object({
    id: jobId,
    cursor: z.int().min(0).default(0).describe('Where to continue, from the last result.'),
  }),
  run: ({ id, cursor }, context) => pagesOf(id, cursor, defaultResponseTokens, context),
})

/** Paths of jobs with pages. Jobs with a single result have the path of their kind. */
const roots: ReadonlyMap<string, string> = new Map(Object.entries({ crawl: '/v2/crawl', batch: '/v2/batch/scrape' }))

export const cancel = defineTool({
  name: 'cancel',
  title: 'Cancel a job',
  description: 'Cancels a running job. Its pages can still be read.',
  isReadOnly: false,
  isDestructive: true,
  input: z.object({ id: jobId }),
  run: async ({ id }, { api, signal }) => {
    const { job } = await api.get<{ job: { kind: string } }>(`/v2/jobs/${encodeURIComponent(id)}`, signal)
    await api.delete(
      `${roots.get(job.kind) ?? `/v2/${job.kind.replaceAll('_', '-')}`}/${encodeURIComponent(id)}`,
      signal,
    )
    return [ours(`Job ${id} was cancelled.`)]
  },
})

export const interact = defineTool({
  name: 'interact',
  title: 'Act on a page',
  description:
    'Carries out a task or code in a live browser. Pass url to open a page, or the id of a scrape or earlier call to continue in its browser.',
  needs: { ports: ['sessions'], endpoints: ['interact'] },
  isReadOnly: false,
  input: z.object({
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The page to open.'),
    id: z.string().min(1).max(100).optional().describe('The id of a scrape or earlier call, in place of url.'),
    prompt: z.string().min(1).max(10_000).optional().describe('The task, in plain language.'),
    code: z.string().min(1).max(100_000).optional().describe('JavaScript with `page`, in place of prompt.'),
    timeout: z.int().min(1).max(300).default(60).describe('Seconds.'),
  }),
  run: async ({ url, id: known, ...request }, context) => {
    if ((url === undefined) === (known === undefined)) return [ours('Give either url or id.')]
    if ((request.prompt === undefined) === (request.code === undefined)) return [ours('Give either prompt or code.')]
    const { api, signal } = context
    const id = known ?? (await openPage(url ?? '', context))
    const { output, result, stdout, stderr, error } = await api.post<
      Readonly<Record<string, string | null | undefined>>
    >(`/v2/scrape/${encodeURIComponent(id)}/interact`, request, signal)
    const parts = [
      output,
      result,
      stdout && `stdout:\n${stdout}`,
      stderr && `stderr:\n${stderr}`,
      error && `error: ${error}`,
    ]
    const shown = parts.filter(Boolean).join('\n\n')
    const next = ours(`Go on in this browser: interact {"id": "${id}"}. Close it: interact_stop {"id": "${id}"}.`)
    if (shown === '') return [ours('Done.'), next]
    return [...truncateToBudget(shown, id, defaultResponseTokens, 0, () => 'interact with code that gives less'), next]
  },
})

/** Loads a page that a live browser can continue from. Returns its id. */
async function openPage(url: string, { api, signal }: ToolContext): Promise<string> {
  const { data } = await api.post<{ data: PageDocument }>('/v2/scrape', { url, formats: ['metadata'] }, signal)
  const { scrapeId } = data.metadata
  if (scrapeId === undefined)
    throw new ApiRefusal('NOT_KEPT', 'The server keeps no pages, so no browser opens on one.', 200)
  return scrapeId
}

export const interactStop = defineTool({
  name: 'interact_stop',
  title: 'Close the browser of a page',
  description: 'Ends the browser session of a scrape.',
  needs: { ports: ['sessions'], endpoints: ['interact'] },
  isReadOnly: false,
  isDestructive: true,
  input: z.object({ id: z.string().min(1).max(100).describe('The id of the scrape.') }),
  run: async ({ id }, { api, signal }) => {
    await api.delete(`/v2/scrape/${encodeURIComponent(id)}/interact`, signal)
    return [ours('The browser was closed.')]
  },
})
