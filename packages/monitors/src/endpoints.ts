// The monitor endpoints of the public API.
import { fileOutput, type MakeEndpoint } from '@harvestman/core/plugin'
import { z } from 'zod'

import { feedForms, type Feed } from './feed.ts'
import { askPage, answerPage } from './email/pages.ts'
import { actionOf, emailActions } from './email/links.ts'
import { nameOf, readCheck, readFeed, type OpenMonitors } from './open.ts'
import {
  changedMonitorSchema,
  checkListSchema,
  checkPagesSchema,
  listSchema,
  newMonitorSchema,
} from './requests/monitor.ts'
import { checkPagesResultSchema, checkSchema, emailResultSchema, monitorSchema } from './results.ts'
import { createMonitor, deleteMonitor, runMonitor, updateMonitor } from './service/changes.ts'
import { applyEmailAction } from './email/apply-action.ts'
import { findMonitor } from './service/find.ts'
import { listChecks, listMonitors } from './service/read.ts'
import { showCheck } from './shown.ts'

const one = '/v2/monitor/{id}'
const id = z.guid().toLowerCase()
const params = { id }
const emailParams = { action: z.enum(emailActions), token: z.string().regex(/^[\w-]{43}$/) }
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
    run: async ({ own, showInList }, { input, call, ...rest }) =>
      (await listMonitors(input, call, own)).map((record) => showInList(record, rest)),
  }),
  feed: endpoint({
    method: 'GET',
    path: '/v2/monitor/feed/{secret}/{form}',
    params: { secret: z.string().regex(/^[\w-]{32}$/), form: z.enum(feedForms) },
    summary:
      'Returns the results of a monitor as RSS, Atom or JSON Feed. Its URL, in `feeds` of the monitor, is its key.',
    output: fileOutput<Feed>('application/rss+xml', 'application/atom+xml', 'application/feed+json'),
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

const tokenInput = z.strictObject({
  token: z.string().min(16).max(64).meta({ secret: true, description: 'The token in the link of a mail.' }),
})

const emailEndpoint = {
  output: emailResultSchema,
  isFlat: true,
  isOpen: true,
  isNoted: false,
  isRepeatable: true,
} as const
const plainErrors = { invalid_request: 'invalid_token', not_found: 'not_found', internal: 'internal_error' } as const

/** Endpoints for recipients of mails. They have no key: the token in the mail allows the call. */
const emailEndpoints = (endpoint: Make) => ({
  confirmEmail: endpoint({
    ...emailEndpoint,
    method: 'POST',
    path: '/v2/monitor/email/confirm',
    summary: 'Confirms that a recipient wants mails of a monitor.',
    input: tokenInput,
    errors: ['not_found'],
    plainErrors,
    example: { token: 'zJk3V0m1yqO6H2uWc8Tn5aXe7RfLdPs9GbQiYtKoM4E' },
    run: ({ own }, { input: { token } }) => applyEmailAction('confirm', token, own),
  }),
  unsubscribeEmail: endpoint({
    ...emailEndpoint,
    method: 'POST',
    path: '/v2/monitor/email/unsubscribe',
    summary: 'Unsubscribes a recipient from the mails of a monitor.',
    input: tokenInput,
    errors: ['not_found'],
    plainErrors,
    example: { token: 'zJk3V0m1yqO6H2uWc8Tn5aXe7RfLdPs9GbQiYtKoM4E' },
    run: ({ own }, { input: { token } }) => applyEmailAction('unsubscribe', token, own),
  }),
  emailPage: endpoint({
    method: 'GET',
    path: '/v2/monitor/email/{action}/{token}',
    params: emailParams,
    summary: 'Returns the page of a link in a mail, with a button to confirm or unsubscribe. It changes nothing.',
    output: fileOutput('text/html'),
    isOpen: true,
    run: (_, { params: { action } }) => askPage(actionOf(action)),
  }),
  answerEmailPage: endpoint({
    method: 'POST',
    path: '/v2/monitor/email/{action}/{token}',
    params: emailParams,
    summary: 'Confirms or unsubscribes as the page of the link does, and as mail clients do with one click.',
    output: fileOutput('text/html'),
    isOpen: true,
    isNoted: false,
    isRepeatable: true,
    run: ({ own }, { params: { action, token } }) => answerPage(actionOf(action), token, own),
  }),
})

/** All monitor endpoints. */
export const monitorsEndpoints = (endpoint: Make) => ({
  ...emailEndpoints(endpoint),
  ...teamEndpoints(endpoint),
  ...monitorEndpoints(endpoint),
  ...checkEndpoints(endpoint),
})
