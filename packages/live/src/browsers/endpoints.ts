// The endpoints of live browsers in the public API.
import type { EndpointCall, FeatureKit, MakeEndpoint } from '@harvestman/core/plugin'
import { jobId, missingPort, sessionsPort } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { livePort, type Live } from '../live-port.ts'
import { sandboxPort } from '../ports.ts'
import { pageToolResultSchema } from '../page-tools/page-tools.ts'
import {
  callToolSchema,
  executeSchema,
  interactSchema,
  sessionListSchema,
  sessionSchema,
  shareSchema,
} from '../requests.ts'
import type { LiveSession } from '../sessions/session.ts'
import {
  executedSchema,
  interactedSchema,
  listedSchema,
  openedSchema,
  pageToolsSchema,
  sharedSchema,
  stateSchema,
  stoppedSchema,
} from './results.ts'
import { showExecuted, showListed, showOpened, showRun, showShare, showState, showStopped, urlsOf } from './shown.ts'

type Make = MakeEndpoint<FeatureKit>

const params = { id: jobId }
const noShare = 'This live browser does not have this link, or the link has ended.'

// `isNoted: false`: the requests that open a browser are added to the activity list by `engine.live`.
const common = {
  rate: 'interact',
  isNoted: false,
  needs: ['sessions'],
  messages: { forbidden: 'Forbidden.' },
  statuses: { not_configured: 503, browser_failed: 502, connection_failed: 502, model_unavailable: 502, timeout: 502 },
} as const

const ending = ['forbidden', 'not_found', 'conflict', 'session_over', 'browser_failed'] as const
const opening = [
  ...ending,
  ...(['insufficient_credits', 'not_configured', 'too_many_sessions', 'timeout'] as const),
  ...(['model_unavailable', 'model_failed'] as const),
] as const

function liveOf(kit: FeatureKit): Live {
  const live = kit.port(livePort)
  if (live) return live
  throw missingPort(sessionsPort, 'engine.browsers', { subject: 'This request' })
}

type OfSession = Pick<EndpointCall<{ readonly id: string }>, 'params' | 'team'>

const find = (kit: FeatureKit, { params, team }: OfSession): Promise<LiveSession> =>
  liveOf(kit).find(params.id, { team })

const teamEndpoints = (endpoint: Make) => ({
  open: endpoint({
    ...common,
    method: 'POST',
    path: '/v2/browser',
    aliases: ['/v2/interact'],
    summary: 'Opens a live browser.',
    input: sessionSchema,
    output: openedSchema,
    isFlat: true,
    errors: opening,
    example: { ttl: 600, activityTtl: 300 },
    run: async (kit, { input, call, signal, apiUrl = '' }) =>
      showOpened(apiUrl, await liveOf(kit).open(input, { ...call, signal })),
  }),
  list: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/browser',
    aliases: ['/v2/interact'],
    summary: 'Lists the live browsers of your team, including ended ones, newest first.',
    input: sessionListSchema,
    output: z.array(listedSchema),
    property: 'sessions',
    run: async (kit, { input: { status }, team, apiUrl: at = '' }) => {
      const live = liveOf(kit)
      const records = await live.list({ team })
      const sessions = await Promise.all(records.map((record) => showListed(record, { live, team, at })))
      return sessions.filter((one) => status === undefined || one.status === status)
    },
  }),
})

const browserEndpoints = (endpoint: Make) => ({
  get: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/browser/{id}',
    aliases: ['/v2/interact/{id}'],
    params,
    summary: 'Returns one live browser.',
    output: stateSchema,
    isFlat: true,
    errors: ['forbidden', 'not_found'],
    run: async (kit, { params: { id }, team, apiUrl: at = '' }) => {
      const live = liveOf(kit)
      return showState(await live.record(id, { team }), { live, team, at })
    },
  }),
  close: endpoint({
    ...common,
    method: 'DELETE',
    path: '/v2/browser/{id}',
    aliases: ['/v2/interact/{id}'],
    params,
    summary: 'Ends a live browser.',
    output: stoppedSchema,
    isFlat: true,
    errors: ending,
    run: async (kit, { params: { id }, team }) => showStopped(await liveOf(kit).stop(id, { team })),
  }),
  execute: endpoint({
    ...common,
    needs: ['sessions', 'sandbox'],
    method: 'POST',
    path: '/v2/browser/{id}/execute',
    aliases: ['/v2/interact/{id}/execute'],
    params,
    summary: 'Runs code in a live browser.',
    input: executeSchema,
    output: executedSchema,
    isFlat: true,
    errors: opening,
    example: { code: 'await page.title()', language: 'node', timeout: 30 },
    run: async (kit, { input: { code, language, timeout }, signal, ...call }) => {
      const session = await find(kit, call)
      return showExecuted(await session.run(code, { language, timeout: timeout * 1_000, signal }))
    },
  }),
})

const pageToolEndpoints = (endpoint: Make) => ({
  tools: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/browser/{id}/tools',
    aliases: ['/v2/interact/{id}/tools'],
    params,
    summary: 'Lists the tools that the page in a live browser declares to models.',
    output: pageToolsSchema,
    isFlat: true,
    errors: [...ending, 'timeout'],
    run: async (kit, { signal, ...call }) => {
      const { tools, omitted } = await (await find(kit, call)).pageTools({ signal })
      return { tools: [...tools], omitted: [...omitted] }
    },
  }),
  callTool: endpoint({
    ...common,
    method: 'POST',
    path: '/v2/browser/{id}/tools',
    aliases: ['/v2/interact/{id}/tools'],
    params,
    summary: 'Calls a tool that the page in a live browser declares to models.',
    input: callToolSchema,
    output: pageToolResultSchema,
    isFlat: true,
    errors: [...ending, 'timeout'],
    example: { name: 'search_products', input: { query: 'lamp' } },
    run: async (kit, { input: { name, input, timeout }, signal, ...call }) =>
      (await find(kit, call)).callPageTool(name, input, { timeout: timeout * 1_000, signal }),
  }),
})

const shareEndpoints = (endpoint: Make) => ({
  share: endpoint({
    ...common,
    method: 'POST',
    path: '/v2/browser/{id}/shares',
    aliases: ['/v2/interact/{id}/shares'],
    params,
    summary: 'Creates a link to view a live browser, which expires.',
    input: shareSchema,
    output: sharedSchema,
    isFlat: true,
    errors: ending,
    example: { ttl: 900 },
    run: async (kit, { input, apiUrl = '', ...call }) => {
      const session = await find(kit, call)
      if (!session.streamWebView)
        throw new EngineError('conflict', 'This live browser has no live view: it was opened with streamWebView off.')
      return showShare(apiUrl, session.id, session.shares.open(input.ttl * 1_000))
    },
  }),
  shares: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/browser/{id}/shares',
    aliases: ['/v2/interact/{id}/shares'],
    params,
    summary: 'Lists the active links to a live browser, newest first.',
    output: z.array(sharedSchema),
    property: 'shares',
    errors: ending,
    run: async (kit, { apiUrl = '', ...call }) => {
      const session = await find(kit, call)
      return session.shares.list().map((one) => showShare(apiUrl, session.id, one))
    },
  }),
  endShare: endpoint({
    ...common,
    messages: { ...common.messages, not_found: noShare },
    method: 'DELETE',
    path: '/v2/browser/{id}/shares/{share}',
    aliases: ['/v2/interact/{id}/shares/{share}'],
    params: { ...params, share: z.string().max(100) },
    summary: 'Revokes a link to a live browser, and disconnects its viewers.',
    errors: ending,
    run: async (kit, call) => {
      if (!(await find(kit, call)).shares.end(call.params.share)) throw new EngineError('not_found', noShare)
    },
  }),
})

const scrapeEndpoints = (endpoint: Make) => ({
  interact: endpoint({
    ...common,
    messages: { ...common.messages, not_found: 'Job not found.' },
    method: 'POST',
    path: '/v2/scrape/{jobId}/interact',
    params: { jobId },
    summary: 'Runs code, or a task for a model, in the live browser of a scrape. The first call opens it.',
    input: interactSchema,
    output: interactedSchema,
    isFlat: true,
    errors: opening,
    example: { prompt: 'What does this page sell?', timeout: 60 },
    run: async (kit, { params: { jobId }, input, call, signal, apiUrl = '' }) => {
      const { code, prompt = '', secrets, allow, language, ttl, activityTtl, record, recordSession } = input
      if (code !== undefined) needSandbox(kit)
      const life = { ttl, activityTtl, record, recordSession }
      const session = await liveOf(kit).ofScrape(jobId, { ...call, signal, ...life })
      const timeout = input.timeout * 1_000
      const done =
        code === undefined
          ? showRun(await session.ask(prompt, { timeout, signal, secrets, allow }))
          : showExecuted(await session.run(code, { language, timeout, signal }))
      return { ...done, sessionId: session.id, ...urlsOf(apiUrl, session) }
    },
  }),
  stopInteraction: endpoint({
    ...common,
    method: 'DELETE',
    path: '/v2/scrape/{jobId}/interact',
    params: { jobId },
    summary: 'Ends the live browser of a scrape. Repeating it has no effect.',
    output: stoppedSchema,
    isFlat: true,
    errors: ending,
    run: async (kit, { params: { jobId }, call }) => showStopped(await liveOf(kit).stopOfScrape(jobId, call)),
  }),
})

/** Throws `not_configured` if there is no sandbox, before the scrape is repeated in a live browser. */
function needSandbox(kit: FeatureKit): void {
  if (kit.port(sandboxPort)) return
  throw missingPort(sandboxPort, 'Code in a live browser', { subject: 'Running code' })
}

/** The endpoints of live browsers. */
export const browsersEndpoints = (endpoint: Make) => ({
  ...teamEndpoints(endpoint),
  ...browserEndpoints(endpoint),
  ...pageToolEndpoints(endpoint),
  ...shareEndpoints(endpoint),
  ...scrapeEndpoints(endpoint),
})
