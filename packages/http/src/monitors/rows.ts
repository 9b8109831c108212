// The rows about monitors.
import {
  checkListSchema,
  checkPagesSchema,
  feedForms,
  type Feed,
  listSchema,
  newMonitorSchema,
  changedMonitorSchema,
} from '@harvestman/monitors'
import { z } from 'zod'

import { always, type Answer } from '../answer/answer.ts'
import { route, success, type Route, type Words } from '../route/route.ts'
import { checkSchema, checkWithPagesSchema, monitorSchema, showMonitor } from './answers.ts'
import { monitorsOf } from './monitors-of.ts'

const words: Words = { badId: 'Invalid monitor ID', notFound: 'Monitor not found', statuses: { not_configured: 503 } }
const common = { group: 'monitor', words } as const
const reading = { ...common, rate: 'status' } as const
const changing = ['conflict', 'not_found', 'not_configured', 'url_blocked', 'insufficient_credits'] as const
const one = '/v2/monitor/{id}'

const monitorRowsOfTeam: readonly Route[] = [
  route({
    ...common,
    method: 'POST',
    path: '/v2/monitor',
    summary: 'Makes a monitor, which looks at pages, crawls or searches on a schedule.',
    fails: changing,
    input: () => newMonitorSchema,
    engineChecks: true,
    example: {
      name: 'Prices',
      schedule: { text: 'every 30 minutes', timezone: 'UTC' },
      targets: [{ type: 'scrape', urls: ['https://example.com/pricing'] }],
    },
    output: () => z.object({ success: z.literal(true), data: monitorSchema }),
    run: async ({ engine, input, asker, at }) =>
      success(showMonitor(await monitorsOf(engine).create(input, asker), at, monitorsOf(engine))),
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/v2/monitor',
    summary: 'Lists the monitors of your team, the newest first.',
    fails: ['not_configured'],
    query: listSchema,
    output: () => z.object({ success: z.literal(true), data: z.array(monitorSchema) }),
    run: async ({ engine, query, team, at }) => {
      const found = await monitorsOf(engine).list(query, { team })
      return success(found.map((monitor) => showMonitor(monitor, at, monitorsOf(engine))))
    },
  }),
]

const monitorRow: readonly Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: one,
    summary: 'Shows a monitor.',
    fails: ['not_found', 'not_configured'],
    output: () => z.object({ success: z.literal(true), data: monitorSchema }),
    run: async ({ engine, params, team, at }) =>
      success(showMonitor(await monitorsOf(engine).get(params['id'] ?? '', { team }), at, monitorsOf(engine))),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    summary: 'Changes what is named of a monitor, or pauses and resumes it.',
    fails: changing,
    input: () => changedMonitorSchema,
    engineChecks: true,
    example: { status: 'paused' },
    output: () => z.object({ success: z.literal(true), data: monitorSchema }),
    run: async ({ engine, params, input, asker, at }) =>
      success(showMonitor(await monitorsOf(engine).update(params['id'] ?? '', input, asker), at, monitorsOf(engine))),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    summary: 'Deletes a monitor and its checks.',
    fails: ['not_found', 'not_configured'],
    output: () => z.object({ success: z.literal(true) }),
    run: async ({ engine, params, team }) => {
      await monitorsOf(engine).delete(params['id'] ?? '', { team })
      return { success: true as const }
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/run`,
    summary: 'Begins a check of a monitor now.',
    fails: changing,
    output: () => z.object({ success: z.literal(true), id: z.string(), data: checkSchema }),
    run: async ({ engine, params, asker }) => {
      const data = await monitorsOf(engine).run(params['id'] ?? '', asker)
      return { ...success({ ...data }), id: data.id }
    },
  }),
]

const checkRows: readonly Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: `${one}/checks`,
    summary: 'Lists the checks of a monitor, the newest first.',
    fails: ['not_found', 'not_configured'],
    query: checkListSchema,
    output: () => z.object({ success: z.literal(true), data: z.array(checkSchema) }),
    run: async ({ engine, params, query, team }) =>
      success((await monitorsOf(engine).checks(params['id'] ?? '', query, { team })).map((one) => ({ ...one }))),
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${one}/checks/{checkId}`,
    summary: 'Shows a check of a monitor with some of its pages.',
    words: { ...words, notFound: 'Check not found' },
    fails: ['not_found', 'not_configured'],
    query: checkPagesSchema,
    output: () => z.object({ success: z.literal(true), next: z.string().optional(), data: checkWithPagesSchema }),
    run: async ({ engine, params, query, team, at }) => {
      const { id = '', checkId = '' } = params
      const { next: skip, ...found } = await monitorsOf(engine).check(id, checkId, query, { team })
      const { limit, status } = query
      const more = new URLSearchParams({ skip: String(skip), limit: String(limit), ...(status && { status }) })
      const next = skip === undefined ? {} : { next: `${at}/v2/monitor/${id}/checks/${checkId}?${more.toString()}` }
      const pages = found.pages.map((page) => ({
        ...page,
        diff: page.diff && { ...page.diff },
        judgment: page.judgment && { ...page.judgment },
      }))
      return { ...success({ ...found, pages, ...next }), ...next }
    },
  }),
]

function feedAnswer({ type, body }: Feed, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers: { ...headers, ...always, 'content-type': type }, body }
}

const feedRow = route({
  ...common,
  method: 'GET',
  path: '/v2/monitor/feed/{secret}/{form}',
  summary:
    'Returns the results of a monitor as RSS, Atom or JSON Feed. Its URL, in `feeds` of the monitor, is its key.',
  isOpen: true,
  fails: ['not_found', 'not_configured'],
  params: { secret: z.string().regex(/^[\w-]{32}$/), form: z.enum(feedForms) },
  output: () => z.string(),
  gives: 'application/rss+xml',
  run: ({ engine, params }) => monitorsOf(engine).feed(params['secret'] ?? '', z.enum(feedForms).parse(params['form'])),
  answer: feedAnswer,
})

export const monitorRows: readonly Route[] = [...monitorRowsOfTeam, feedRow, ...monitorRow, ...checkRows]
