import { loadFailures, route, type Route } from '../route/route.ts'
import type { ApiVersion } from '../versions/api-version.ts'
import { idempotencyHeaders } from '../request/idempotency.ts'
import { jobEndpoints, type JobEndpoint } from './job-endpoints.ts'
import { words } from './group.ts'
import { oneJobRows } from './one-job.ts'
import { mapSchema, startedSchema } from './schema.ts'

/** Returns the routes about many pages for one API version. */
export function jobRows(voice: ApiVersion): readonly Route[] {
  return [
    mapRow(voice),
    ...jobEndpoints.map((face) => startRow(face, voice)),
    ...jobEndpoints.flatMap(({ rows }) => rows?.(voice) ?? []),
    ...jobEndpoints.flatMap((face) => oneJobRows(face, voice)),
  ]
}

function mapRow(voice: ApiVersion): Route {
  return route({
    method: 'POST',
    path: `/${voice.version}/map`,
    group: 'map',
    summary: 'Lists the URLs of a site.',
    ...inputOf(voice.map),
    example: { url: 'https://example.com', limit: 100 },
    fails: loadFailures,
    output: () => mapSchema(voice),
    run: async ({ engine, input, caller, signal }) => {
      const { id, links, warning } = await engine.unchecked.map(voice.map.toCore(input), { ...caller, signal })
      const shownLinks = links.map(voice.link)
      return { success: true as const, id, links: shownLinks, ...(warning !== undefined && { warning }) }
    },
  })
}

function startRow(face: JobEndpoint, voice: ApiVersion): Route {
  const { path, begin, group, kind, summary, example, fails, maxEntries } = face
  const { version } = voice
  return route({
    ...{ group, kind, summary, example, fails, words },
    ...(maxEntries !== undefined && { maxEntries }),
    method: 'POST',
    path: `/${version}/${path}`,
    ...inputOf(voice[group]),
    reads: idempotencyHeaders,
    output: startedSchema,
    run: async (call) => {
      const { id, fields } = await begin(voice[group].toCore(call.input), call)
      return { success: true as const, id, url: `${call.at}/${version}/${path}/${id}`, ...fields }
    },
  })
}

function inputOf({ input, engineChecks = false }: ApiVersion['crawl']) {
  return { input, engineChecks }
}
