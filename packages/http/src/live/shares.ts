// The rows about links to a live browser that end before it does.
import { EngineError } from '@harvestman/core'
import { shareSchema, type SessionShare } from '@harvestman/live'
import { z } from 'zod'

import { route, type Route, type RouteCall } from '../route/route.ts'
import { type Base, common, ending, words } from './common.ts'
import { liveOf } from './live-of.ts'

const shared = z.object({
  id: z.string(),
  url: z.string().describe('The live view, to look at. Its URL is its key.'),
  createdAt: z.string(),
  expiresAt: z.string(),
})
const done = z.literal(true)

const sessionOf = ({ engine, params, team }: Pick<RouteCall, 'engine' | 'params' | 'team'>) =>
  liveOf(engine).find(params['id'] ?? '', { team })

function show(at: string, session: string, { id, token, createdAt, expiresAt }: SessionShare): z.input<typeof shared> {
  return {
    id,
    url: `${at}/live/${session}?token=${token}`,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

export function shareRows(base: Base): readonly Route[] {
  const path = `${base}/{id}/shares` as const
  return [
    route({
      ...common,
      method: 'POST',
      path,
      summary: 'Makes a link to look at a live browser, which ends by itself.',
      fails: ending,
      input: () => shareSchema,
      example: { ttl: 900 },
      output: () => shared.extend({ success: done }),
      run: async ({ input, ...call }) => {
        const session = await sessionOf(call)
        if (!session.streamWebView)
          throw new EngineError('conflict', 'This live browser has no live view: it was opened with streamWebView off.')
        return { success: true as const, ...show(call.at, session.id, session.shares.open(input.ttl * 1_000)) }
      },
    }),
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'Lists the links to a live browser that have not ended, newest first.',
      fails: ending,
      output: () => z.object({ success: done, shares: z.array(shared) }),
      run: async (call) => {
        const session = await sessionOf(call)
        return { success: true as const, shares: session.shares.list().map((one) => show(call.at, session.id, one)) }
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${path}/{share}`,
      params: { share: z.string().max(100) },
      words: { ...words, notFound: 'This live browser has no such link, or not any more.' },
      summary: 'Ends a link to a live browser, and disconnects its viewers.',
      fails: ending,
      output: () => z.object({ success: done }),
      run: async (call) => {
        if ((await sessionOf(call)).shares.end(call.params['share'] ?? '')) return { success: true as const }
        throw new EngineError('not_found', 'This live browser has no such link, or not any more.')
      },
    }),
  ]
}
