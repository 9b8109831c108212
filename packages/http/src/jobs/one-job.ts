// Routes about a single job. Crawls and batches are served at both paths, because clients read batches where crawls are.
import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import { shownError } from '../refusals/errors.ts'
import { route, type Route, type RouteCall } from '../route/route.ts'
import type { ApiVersion } from '../versions/api-version.ts'
import { eventsAnswer, streamEvents } from './events.ts'
import type { JobEndpoint } from './job-endpoints.ts'
import { words, type Common } from './group.ts'
import { errorsSchema, statusSchema } from './schema.ts'
import { showStatus, statusAnswer } from './status.ts'
import { watchJob } from './watch.ts'
import { webhookRows } from './webhook.ts'

/**
 * Returns the routes about a single job of a kind: status, cancellation and errors. Version 2 also has events, webhook messages
 * and the kind's own routes.
 */
export function oneJobRows({ group, kind, path: own, rowsOfOne }: JobEndpoint, api: ApiVersion): Route[] {
  const path = `/${api.version}/${own}` as const
  const common = { group, kind, rate: 'status', words, fails: ['not_found'] } as const
  return [
    route({
      ...common,
      method: 'GET',
      path: `${path}/{id}`,
      summary: `Returns the status of a ${group} and a page of its documents. As a WebSocket, sends each document when it is finished.`,
      query: api.pagination,
      output: (schemas) => statusSchema(schemas, api),
      run: (call) => showStatus(call, path, api),
      answer: statusAnswer,
      watch: (call) => watchJob(call, api),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Cancels a ${group}. Its finished documents can still be read.`,
      fails: ['not_found', 'conflict'],
      output: () => z.object({ success: z.literal(true), status: z.literal('cancelled') }),
      run: cancel,
    }),
    ...errorRows(path, common, api),
    ...(api.version === 'v2'
      ? [eventsRow(path, common, api), ...webhookRows(path, common), ...(rowsOfOne?.(path, common) ?? [])]
      : []),
  ]
}

function errorRows(path: `/${string}`, common: Common, { version }: ApiVersion): Route[] {
  const errors = { ...common, path: `${path}/{id}/errors` as const, output: () => errorsSchema, run: showErrors }
  const rows = [route({ method: 'GET', summary: `Lists the pages of a ${common.group} that failed.`, ...errors })]
  // The official client of version 1 uses DELETE here and expects the errors.
  if (version === 'v1')
    rows.push(route({ method: 'DELETE', summary: 'The same as GET. It cancels nothing.', ...errors }))
  return rows
}

function eventsRow(path: `/${string}`, common: Common, api: ApiVersion): Route {
  return route({
    ...common,
    method: 'GET',
    path: `${path}/{id}/events`,
    summary: `Streams the events of a ${common.group}, as server-sent events.`,
    reads: { 'last-event-id': 'The id of the last received event.' },
    output: () => z.string(),
    gives: 'text/event-stream',
    run: (call) => streamEvents(call, api),
    answer: eventsAnswer,
  })
}

async function cancel({ engine, params, caller }: RouteCall) {
  const job = await engine.jobs.find(params['id'] ?? '', caller)
  if (await job.cancel()) return { success: true as const, status: 'cancelled' as const }
  const { status } = await job.status()
  throw new EngineError('conflict', `Crawl is already ${status}`)
}

async function showErrors({ engine, params, caller }: RouteCall) {
  const { errors, robotsBlocked } = await (await engine.jobs.find(params['id'] ?? '', caller)).errors()
  return {
    success: true as const,
    errors: errors.map((error) => ({ ...error, ...shownError(error) })),
    robotsBlocked: [...robotsBlocked],
  }
}
