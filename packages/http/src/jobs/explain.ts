// Explains which URLs a crawl visited: one URL as JSON, or all as JSON lines.
import type { Crawl, ExplainedUrl } from '@harvestman/core'
import { z } from 'zod'

import { always, jsonAnswer, type Answer } from '../answer/answer.ts'
import { shownError } from '../refusals/errors.ts'
import { route, success, type Route, type RouteCall } from '../route/route.ts'
import type { Common } from './group.ts'

type ExplainCall = RouteCall<unknown, z.output<typeof query>>

const query = z.object({
  url: z
    .url()
    .max(2_048)
    .optional()
    .describe(
      'Explains this URL and its other spellings in one response. Without it, the response has one line for each URL.',
    ),
})

const address = z.object({
  url: z.string(),
  outcome: z.enum(['visited', 'failed', 'waiting', 'left']),
  reason: z.string().optional().describe('The code of the reason why it was skipped.'),
  code: z.string().optional().describe('The error code, if it failed.'),
  sentence: z.string().describe('The outcome as a sentence.'),
  foundOn: z.string().optional().describe('The page with the link to it.'),
  depth: z.int().optional().describe('Number of links from the start URL.'),
})

/** Minimum chunk length of the stream, in characters. A single line would cost as much to send. */
const pieceLength = 16_384

/**
 * Returns the route `GET {path}/{id}/explain`, which explains why a crawl visited a URL or not: one URL as JSON, or all as JSON
 * lines. `path` is that of the crawls, `notFound` the message if there is no such crawl.
 */
export function explainRow(path: `/${string}`, { words: { notFound }, ...common }: Common): Route {
  return route({
    ...common,
    method: 'GET',
    path: `${path}/{id}/explain`,
    summary: 'Explains why a crawl visited or skipped URLs: one (`url`), or all as JSON lines.',
    query,
    words: { notFound },
    output: () => z.object({ success: z.literal(true), data: z.array(address) }),
    lines: { type: 'application/x-ndjson', each: address },
    run: (call) => explainCrawl(call),
    answer: explainAnswer,
  })
}

type ShownUrl = Omit<ExplainedUrl, 'code'> & { readonly code?: string | undefined }

type Explained = readonly ShownUrl[] | AsyncGenerator<string>

async function explainCrawl({ engine, params, caller, query: { url }, signal }: ExplainCall): Promise<Explained> {
  const crawl = await engine.jobs.findCrawl(params['id'] ?? '', caller)
  if (url === undefined) return lines(crawl, signal)
  const found: ShownUrl[] = []
  for await (const one of crawl.explain({ url, signal })) found.push(shown(one))
  return found
}

async function* lines(crawl: Crawl, signal: AbortSignal): AsyncGenerator<string> {
  let piece = ''
  for await (const one of crawl.explain({ signal })) {
    piece += `${JSON.stringify(shown(one))}\n`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Replaces the engine's error code by its HTTP code. */
function shown(one: ExplainedUrl): ShownUrl {
  if (one.code === undefined) return one
  const { code, error: sentence } = shownError({ code: one.code, error: one.sentence })
  return { ...one, code, sentence }
}

function explainAnswer(explained: Explained, headers: Answer['headers']): Answer {
  if (!(Symbol.asyncIterator in explained)) return jsonAnswer(200, success(explained), headers)
  const type = { 'content-type': 'application/x-ndjson; charset=utf-8' }
  return { status: 200, headers: { ...always, ...headers, ...type }, body: explained, hasEnd: true }
}
