// The monitor endpoints of the public API.
import { fileOutput, type MakeEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

import { feedForms, type Feed } from './feed.ts'
import { nameOf, readCheck, readFeed, type OpenMonitors } from './open.ts'
import {
  changedMonitorSchema,
  checkListSchema,
  checkPagesSchema,
  listSchema,
  newMonitorSchema,
} from './requests/monitor.ts'
import { checkPagesResultSchema, checkSchema, monitorSchema } from './results.ts'
import { createMonitor, deleteMonitor, runMonitor, updateMonitor } from './service/changes.ts'
import { findMonitor } from './service/find.ts'
import { listChecks, listMonitors } from './service/read.ts'
import { showCheck } from './shown.ts'

const one = '/v2/monitor/{id}'
const id = z.guid().toLowerCase()
const params = { id }
const changing = ['conflict', 'not_found', 'not_configured', 'url_blocked', 'insufficient_credits'] as const
const statuses = { not_configured: 503 } as const

type Make = MakeEndpoint<OpenMonitors>

/** Endpoints for all monitors of a team. */
const teamEndpoints = (endpoint: Make) => ({
  create: endpoint({
    method: 'POST',
    path: '/v2/monitor',
    summary: 'Creates a monitor, which checks pages, crawls or searches on a schedule.',
    input: newMonitorSchema,
    output: monitorSchema,
    errors: changing,
    statuses,
    example: {
      name: 'Prices',
      schedule: { text: 'every 30 minutes', timezone: 'UTC' },
      targets: [{ type: 'scrape', urls: ['https://example.com/pricing'] }],
    },
    subject: (_, { input }) => input.name,
    run: async ({ own, show }, { input, call, ...rest }) => show(await createMonitor(input, call, own), rest),
  }),
  list: endpoint({
    method: 'GET',
    path: '/v2/monitor',
    summary: 'Lists the monitors of your team, newest first.',
    input: listSchema,
    output: z.array(monitorSchema),
    run: async ({ own, show }, { input, call, ...rest }) =>
      (await listMonitors(input, call, own)).map((record) => show(record, rest)),
  }),
  feed: endpoint({
    method: 'GET',
    path: '/v2/monitor/feed/{secret}/{form}',
    params: { secret: z.string().regex(/^[\w-]{32}$/), form: z.enum(feedForms) },
    summary:
      'Returns the results of a monitor as RSS, Atom or JSON Feed. Its URL, in `feeds` of the monitor, is its key.',
    output: fileOutput<Feed>('application/rss+xml'),
    errors: ['not_found'],
    isOpen: true,
    run: readFeed,
  }),
})

/** Endpoints for one monitor. */
const monitorEndpoints = (endpoint: Make) => ({
  get: endpoint({
    method: 'GET',
    path: one,
    params,
    summary: 'Returns a monitor.',
    output: monitorSchema,
    errors: ['not_found'],
    run: async ({ own, show }, { params: { id }, call, ...rest }) => show(await findMonitor(id, call, own), rest),
  }),
  update: endpoint({
    method: 'PATCH',
    path: one,
    params,
    summary: 'Updates a monitor. Set `status` to pause or resume it.',
    input: changedMonitorSchema,
    output: monitorSchema,
    errors: changing,
    statuses,
    example: { status: 'paused' },
    subject: nameOf,
    run: async ({ own, show }, { params: { id }, input, call, ...rest }) =>
      show(await updateMonitor(id, input, call, own), rest),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: one,
    params,
    summary: 'Deletes a monitor and its checks.',
    errors: ['not_found'],
    subject: nameOf,
    command: { print: () => ({ message: 'The monitor is deleted.' }) },
    run: ({ own }, { params: { id }, call }) => deleteMonitor(id, call, own),
  }),
  run: endpoint({
    method: 'POST',
    path: `${one}/run`,
    params,
    summary: 'Starts a check of a monitor now.',
    output: checkSchema,
    errors: changing,
    statuses,
    topLevel: ['id'],
    subject: nameOf,
    run: async ({ own }, { params: { id }, call }) => showCheck(await runMonitor(id, call, own)),
  }),
})

/** Endpoints for the checks of a monitor. */
const checkEndpoints = (endpoint: Make) => ({
  checks: endpoint({
    method: 'GET',
    path: `${one}/checks`,
    params,
    summary: 'Lists the checks of a monitor, newest first.',
    input: checkListSchema,
    output: z.array(checkSchema),
    errors: ['not_found'],
    run: async ({ own }, { params: { id }, input, call }) => (await listChecks(id, input, call, own)).map(showCheck),
  }),
  check: endpoint({
    method: 'GET',
    path: `${one}/checks/{checkId}`,
    params: { id, checkId: id },
    summary: 'Returns a check of a monitor with some of its pages.',
    input: checkPagesSchema,
    output: checkPagesResultSchema,
    errors: ['not_found'],
    topLevel: ['next'],
    run: readCheck,
  }),
})

/** All monitor endpoints. */
export const monitorsEndpoints = (endpoint: Make) => ({
  ...teamEndpoints(endpoint),
  ...monitorEndpoints(endpoint),
  ...checkEndpoints(endpoint),
})
