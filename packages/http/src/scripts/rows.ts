// The rows about scripts: what was done in a live browser, kept and run again.
import { EngineError } from '@harvestman/core'
import { newScriptSchema, recordingSchema, runScriptSchema, type Scripts } from '@harvestman/scripts'
import { z } from 'zod'

import type { ApiEngine } from '../route/engine.ts'
import { route, success, type Route, type RouteCall, type Words } from '../route/route.ts'
import {
  historySchema,
  keptSchema,
  runSchema,
  showHistory,
  showKept,
  showRun,
  showVersion,
  versionSchema,
} from './answers.ts'

const words: Words = {
  notFound: 'Script or live browser not found',
  statuses: { not_configured: 503, browser_failed: 502, connection_failed: 502, action_failed: 422 },
}
const common = { group: 'scripts', words } as const
const reading = { ...common, rate: 'status' } as const
const one = '/v2/scripts/{name}'
const params = { name: z.string().max(63) }
const missing = ['not_found', 'not_configured'] as const
const inBrowser = [...missing, 'forbidden', 'conflict', 'session_over', 'browser_failed', 'timeout'] as const

function scriptsOf({ scripts }: Pick<ApiEngine, 'scripts'>): Scripts {
  if (scripts) return scripts
  throw new EngineError('not_configured', 'This server has no scripts.')
}

const nameOf = ({ params }: Pick<RouteCall, 'params'>): string => params['name'] ?? ''
const of = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data })

const makingRows: readonly Route[] = [
  route({
    ...common,
    method: 'POST',
    path: '/v2/scripts/record',
    summary: 'Begins to record what is done in a live browser. Saving a script of it ends that.',
    fails: inBrowser,
    input: () => recordingSchema,
    engineChecks: true,
    example: { session: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11' },
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, input, asker, signal }) => {
      await scriptsOf(engine).record(input, { ...asker, signal })
      return { success: true as const }
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v2/scripts',
    summary: 'Keeps a script: what was recorded in a live browser, or one that you give.',
    fails: inBrowser,
    input: () => newScriptSchema,
    engineChecks: true,
    example: { name: 'sign-up', session: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11', parameters: { name: 'Ann' } },
    output: () => of(keptSchema),
    run: async ({ engine, input, asker, signal }) =>
      success(showKept(await scriptsOf(engine).save(input, { ...asker, signal }))),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/run`,
    params,
    summary: 'Runs a script without a model. A step that does not go as recorded ends it, and says what was seen.',
    fails: [...inBrowser, 'action_failed', 'too_many_sessions', 'insufficient_credits'],
    input: () => runScriptSchema,
    engineChecks: true,
    example: { parameters: { name: 'Bob' } },
    output: () => of(runSchema),
    run: async ({ engine, input, asker, signal, ...call }) =>
      success(showRun(await scriptsOf(engine).run(nameOf(call), input, { ...asker, signal }))),
  }),
]

const readingRows: readonly Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: '/v2/scripts',
    summary: 'Lists the scripts of your team, by name.',
    fails: ['not_configured'],
    output: () => of(z.array(versionSchema)),
    run: async ({ engine, team }) => success((await scriptsOf(engine).list({ team })).map(showVersion)),
  }),
  route({
    ...reading,
    method: 'GET',
    path: one,
    params,
    summary: 'Returns a script with its steps.',
    fails: missing,
    query: z.object({ version: z.coerce.number().int().min(1).optional().describe('The newest when absent.') }),
    output: () => of(keptSchema),
    run: async ({ engine, team, query: { version }, ...call }) =>
      success(showKept(await scriptsOf(engine).get(nameOf(call), { version }, { team }))),
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${one}/history`,
    params,
    summary: 'Lists the versions and repairs of a script, the newest first.',
    fails: missing,
    output: () => of(historySchema),
    run: async ({ engine, team, ...call }) =>
      success(showHistory(await scriptsOf(engine).history(nameOf(call), { team }))),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    params,
    summary: 'Deletes a script with its history.',
    fails: missing,
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, asker, ...call }) => {
      await scriptsOf(engine).delete(nameOf(call), asker)
      return { success: true as const }
    },
  }),
]

export const scriptRows: readonly Route[] = [...makingRows, ...readingRows]
