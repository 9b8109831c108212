import { loadFailures, route, type Route } from '../route/route.ts'
import type { ApiVersion } from '../versions/api-version.ts'
import { idempotencyHeaders } from '../request/idempotency.ts'
import { jobEndpoints, type JobEndpoint } from './job-endpoints.ts'
import { words } from './group.ts'
import { oneJobRows } from './one-job.ts'
import { mapSchema, startedSchema } from './schema.ts'

/** Returns the routes about many pages for one API version: maps, crawls and batches. */
export function jobRows(api: ApiVersion): readonly Route[] {
  return [
    mapRow(api),
    ...jobEndpoints.map((endpoint) => startRow(endpoint, api)),
    ...jobEndpoints.flatMap(({ rows }) => rows?.(api) ?? []),
    ...jobEndpoints.flatMap((endpoint) => oneJobRows(endpoint, api)),
  ]
}

function mapRow(api: ApiVersion): Route {
  return route({
    method: 'POST',
    path: `/${api.version}/map`,
    group: 'map',
    summary: 'Lists the URLs of a site.',
    ...inputOf(api.map),
    example: { url: 'https://example.com', limit: 100 },
    fails: loadFailures,
    output: () => mapSchema(api),
    run: async ({ engine, input, caller, signal }) => {
      const { id, links, warning } = await engine.unchecked.map(api.map.toCore(input), { ...caller, signal })
      const shownLinks = links.map(api.link)
      return { success: true as const, id, links: shownLinks, ...(warning !== undefined && { warning }) }
    },
  })
}

function startRow(endpoint: JobEndpoint, api: ApiVersion): Route {
  const { path, begin, group, kind, summary, example, fails, maxEntries } = endpoint
  const { version } = api
  return route({
    ...{ group, kind, summary, example, fails, words },
    ...(maxEntries !== undefined && { bounds: { entries: maxEntries } }),
    method: 'POST',
    path: `/${version}/${path}`,
    ...inputOf(api[group]),
    reads: idempotencyHeaders,
    output: startedSchema,
    run: async (call) => {
      const { id, fields } = await begin(api[group].toCore(call.input), call)
      return { success: true as const, id, url: `${call.at}/${version}/${path}/${id}`, ...fields }
    },
  })
}

function inputOf({ input, engineChecks = false }: ApiVersion['crawl']) {
  return { input, engineChecks }
}
