// The rows about live browsers.
import { EngineError } from '@harvestman/core'
import { executeSchema, interactSchema, profileName, sessionListSchema, sessionSchema } from '@harvestman/live'
import { z } from 'zod'

import type { Route, RouteCall } from '../route/route.ts'
import { route } from '../route/route.ts'
import {
  executedSchema,
  interactedSchema,
  openedSchema,
  showExecuted,
  showOpened,
  showRun,
  showStopped,
  stoppedSchema,
} from './answers.ts'
import { listSchema, oneSchema, showListed, showOne } from './listing.ts'
import { viewAnswer } from './page-answer.ts'
import { type Base, common, ending, words } from './common.ts'
import { liveOf } from './live-of.ts'
import { shareRows } from './shares.ts'
import { enter, talkCdp, talkScreen } from './talks.ts'
import { urlsOf } from './urls.ts'

const opening = [
  ...ending,
  'insufficient_credits',
  'not_configured',
  'too_many_sessions',
  'timeout',
  'model_unavailable',
  'model_failed',
] as const

const ofScrape = '/v2/scrape/{jobId}/interact'

const scrapeRows: readonly Route[] = [
  route({
    ...common,
    method: 'POST',
    path: ofScrape,
    summary: 'Runs code, or a task for a model, in the live browser of a scrape. The first call opens it.',
    words: { ...words, notFound: 'Job not found.' },
    fails: opening,
    input: () => interactSchema,
    example: { prompt: 'What does this page sell?', timeout: 60 },
    output: () => interactedSchema,
    run: async ({ engine, params, input, asker, signal, at }) => {
      const { code, prompt = '', secrets, allow, language, ttl, activityTtl, record, recordSession } = input
      if (code !== undefined) needSandbox(engine)
      const call = { ...asker, signal, ttl, activityTtl, record, recordSession }
      const session = await liveOf(engine).ofScrape(params['jobId'] ?? '', call)
      const timeout = input.timeout * 1_000
      const done =
        code === undefined
          ? showRun(await session.ask(prompt, { timeout, signal, secrets, allow }))
          : showExecuted(await session.run(code, { language, timeout, signal }))
      return { ...done, sessionId: session.id, ...urlsOf(at, session) }
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: ofScrape,
    summary: 'Ends the live browser of a scrape. Repeating it has no effect.',
    fails: ending,
    output: () => stoppedSchema,
    run: async ({ engine, params, asker }) =>
      showStopped(await liveOf(engine).stopOfScrape(params['jobId'] ?? '', asker)),
  }),
]

/** One that is not there is told before the scrape is replayed for it. */
function needSandbox(engine: RouteCall['engine']): void {
  if (engine.capabilities().ports.includes('sandbox')) return
  throw new EngineError(
    'not_configured',
    'Browser code execution is not configured on this server. Its operator can set HARVESTMAN_SANDBOX.',
    { details: { port: 'sandbox' } },
  )
}

function listRows(base: Base): readonly Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: base,
      summary: 'Opens a live browser.',
      fails: opening,
      input: () => sessionSchema,
      example: { ttl: 600, activityTtl: 300 },
      output: () => openedSchema,
      run: async ({ engine, input, asker, signal, at }) =>
        showOpened(at, await liveOf(engine).open(input, { ...asker, signal })),
    }),
    route({
      ...common,
      method: 'GET',
      path: base,
      summary: 'Lists the live browsers of your team, including ended ones, newest first.',
      query: sessionListSchema,
      output: () => listSchema,
      run: async ({ query: { status }, ...call }) => {
        const records = await liveOf(call.engine).list({ team: call.team })
        const sessions = await Promise.all(records.map((record) => showListed(record, call)))
        return {
          success: true as const,
          sessions: sessions.filter((one) => status === undefined || one.status === status),
        }
      },
    }),
  ]
}

function sessionRows(base: Base): readonly Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: `${base}/{id}`,
      summary: 'Returns one live browser.',
      fails: ['forbidden', 'not_found'],
      output: () => oneSchema,
      run: async (call) => {
        const { engine, params, team } = call
        return showOne(await liveOf(engine).record(params['id'] ?? '', { team }), call)
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${base}/{id}`,
      summary: 'Ends a live browser.',
      fails: ending,
      output: () => stoppedSchema,
      run: async ({ engine, params, team }) => showStopped(await liveOf(engine).stop(params['id'] ?? '', { team })),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/{id}/execute`,
      summary: 'Runs code in a live browser.',
      needs: ['sessions', 'sandbox'],
      fails: opening,
      input: () => executeSchema,
      example: { code: 'await page.title()', language: 'node', timeout: 30 },
      output: () => executedSchema,
      run: async ({ engine, params, input, team, signal }) => {
        const { code, language, timeout } = input
        const session = await liveOf(engine).find(params['id'] ?? '', { team })
        return showExecuted(await session.run(code, { language, timeout: timeout * 1_000, signal }))
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${base}/profiles/{name}`,
      summary: 'Deletes a profile.',
      fails: ['conflict'],
      params: { name: profileName },
      output: () => z.object({ success: z.literal(true) }),
      run: async ({ engine, params, team }) => {
        await liveOf(engine).removeProfile(params['name'] ?? '', { team })
        return { success: true as const }
      },
    }),
  ]
}

const token = z.object({ token: z.string().max(100).default('') })

/** Addresses that carry their own key, so that they can be given away. */
const openRows: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    path: '/cdp/{id}',
    summary: 'Opens a WebSocket with the DevTools protocol of a live browser. Its URL is its key.',
    isOpen: true,
    query: token,
    output: () => z.never(),
    run: async ({ engine }) => {
      liveOf(engine)
      throw new EngineError(
        'invalid_request',
        'Open this address as a WebSocket, with a client such as Puppeteer or Playwright.',
      )
    },
    talk: talkCdp,
  }),
  route({
    ...common,
    method: 'GET',
    path: '/live/{id}',
    summary: 'Shows a live browser in a page, with input when its URL allows it.',
    isOpen: true,
    output: () => z.literal(true),
    gives: 'text/html',
    run: async ({ engine }) => {
      liveOf(engine)
      return true as const
    },
    answer: viewAnswer,
  }),
  route({
    ...common,
    method: 'GET',
    path: '/live/{id}/screen',
    summary: 'The WebSocket of that page.',
    isOpen: true,
    query: token,
    fails: ['forbidden'],
    output: () => z.never(),
    run: async (call) => {
      // The page asks why its WebSocket was refused.
      await enter(call)
      throw new EngineError('invalid_request', 'Open this address as a WebSocket.')
    },
    talk: talkScreen,
  }),
]

export const liveRows: readonly Route[] = [
  ...scrapeRows,
  ...listRows('/v2/browser'),
  ...sessionRows('/v2/browser'),
  ...shareRows('/v2/browser'),
  ...listRows('/v2/interact'),
  ...sessionRows('/v2/interact'),
  ...shareRows('/v2/interact'),
  ...openRows,
]
