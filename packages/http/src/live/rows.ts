// WebSocket routes of live browsers, and the page of the live view.
import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import { route, type Route } from '../route/route.ts'
import { liveOf } from './live-of.ts'
import { viewAnswer } from './page-answer.ts'
import { openLiveBrowser, talkCdp, talkScreen } from './talks.ts'

const common = {
  group: 'interact',
  needs: ['sessions'],
  words: {
    forbidden: 'Forbidden.',
    statuses: { not_configured: 503 },
  },
} as const

const token = z.object({ token: z.string().max(100).default('') })

/** Routes whose URL contains its own token, so that it can be shared. */
export const liveRows: readonly Route[] = [
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
        'Open this URL as a WebSocket, with a client such as Puppeteer or Playwright.',
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
      // The page calls this to find out why its WebSocket was refused.
      await openLiveBrowser(call)
      throw new EngineError('invalid_request', 'Open this URL as a WebSocket.')
    },
    talk: talkScreen,
  }),
]
