// Routes about session replays: one video for each tab of a live browser, in the format of the public API.
import { EngineError } from '@harvestman/core'
import type { Replay, Replays } from '@harvestman/live/session-replay'
import { z } from 'zod'

import { always, type Answer } from '../answer/answer.ts'
import { liveOf } from './live-of.ts'
import type { ApiEngine } from '../route/engine.ts'
import { route, type Route, type RouteCall, type Words } from '../route/route.ts'

const words: Words = {
  notFound: 'Replay not found.',
  forbidden: 'Forbidden.',
  statuses: { bad_response: 502, not_configured: 503, timeout: 502 },
}
const common = { method: 'GET', group: 'interact', needs: ['sessions'], rate: 'status', words } as const
const pageId = z.string().regex(/^\d{1,3}$/, 'Invalid pageId.')
const part = z.string().regex(/^(header|\d{1,4})$/, 'must be header or the number of a segment')
const segments = '/v2/interact/{id}/replay/{pageId}/{part}'

const listSchema = z.object({
  success: z.literal(true),
  pages: z.array(
    z.object({
      pageId: z.string(),
      url: z.string().describe('The path of the playlist of the page.'),
      pageUrl: z.string(),
      startTimeMs: z.number(),
      endTimeMs: z.number(),
    }),
  ),
  pageCount: z.number(),
})

function replaysOf({ replays }: Pick<ApiEngine, 'replays'>): Replays {
  if (replays) return replays
  throw new EngineError(
    'not_found',
    'This server stores no session replays. Its operator can set HARVESTMAN_SESSION_REPLAY=true.',
  )
}

const idOf = ({ params }: Pick<RouteCall, 'params'>): string => params['id'] ?? ''
const pathOf = (id: string, page: string): string => `/v2/interact/${id}/replay/${page}`

/** Returns a replay. Rejects first if the session belongs to another team. */
async function find({ engine, team, ...call }: RouteCall): Promise<Replay> {
  await liveOf(engine).record(idOf(call), { team })
  return replaysOf(engine).get(idOf(call), { team })
}

function playlistAnswer(text: string, headers: Answer['headers']): Answer {
  const own = { 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' }
  return { status: 200, headers: { ...always, ...headers, ...own }, body: text }
}

function videoAnswer(bytes: Uint8Array<ArrayBuffer>, headers: Answer['headers']): Answer {
  // Players on other sites may load it: the token in its URL is the credential.
  const own = {
    'content-type': 'video/mp4',
    'cache-control': 'private, max-age=3600',
    'access-control-allow-origin': '*',
  }
  return { status: 200, headers: { ...always, ...headers, ...own }, body: bytes }
}

function rowsOf(base: '/v2/browser' | '/v2/interact'): readonly Route[] {
  return [
    route({
      ...common,
      path: `${base}/{id}/replay`,
      summary: 'Lists the tabs of a live browser with a stored video.',
      fails: ['forbidden', 'not_found', 'not_configured'],
      output: () => listSchema,
      run: async (call) => {
        const { pages } = await find(call)
        const shown = pages.map(({ url: pageUrl, ...page }) => ({
          ...page,
          pageUrl,
          url: pathOf(idOf(call), page.pageId),
        }))
        return { success: true as const, pages: shown, pageCount: shown.length }
      },
    }),
    route({
      ...common,
      path: `${base}/{id}/replay/{pageId}`,
      params: { pageId },
      summary: 'Returns the video of a tab as an HLS playlist.',
      fails: ['forbidden', 'not_found', 'not_configured'],
      output: () => z.string(),
      gives: 'application/vnd.apple.mpegurl',
      run: async (call) =>
        (await find(call)).playlist(
          call.params['pageId'] ?? '',
          ({ page, part: name, token }) => `${call.at}${pathOf(idOf(call), page)}/${name}?token=${token}`,
        ),
      answer: playlistAnswer,
    }),
  ]
}

export const replayRows: readonly Route[] = [
  ...rowsOf('/v2/browser'),
  ...rowsOf('/v2/interact'),
  route({
    ...common,
    path: segments,
    params: { pageId, part },
    summary: 'Returns a part of the video of a tab. Its URL is its key.',
    isOpen: true,
    query: z.object({ token: z.string().max(100).default('') }),
    fails: ['not_found', 'bad_response', 'not_configured', 'timeout'],
    output: () => z.custom<Uint8Array<ArrayBuffer>>(),
    gives: 'video/mp4',
    run: async ({ engine, params, query: { token }, signal, ...call }) => {
      const { pageId: page = '', part: name = '' } = params
      const bytes = await replaysOf(engine).part(idOf({ params, ...call }), { page, part: name, token }, { signal })
      return new Uint8Array(bytes)
    },
    answer: videoAnswer,
  }),
]
