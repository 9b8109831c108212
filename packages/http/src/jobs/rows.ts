import { loadFailures, route, type Route } from '../route/route.ts'
import type { Voice } from '../voice/voice.ts'
import { idempotencyHeaders } from '../request/idempotency.ts'
import { faces, type Face } from './faces.ts'
import { words } from './group.ts'
import { oneJobRows } from './one-job.ts'
import { mapSchema, startedSchema } from './schema.ts'

/** Returns the routes about many pages for one API version. */
export function jobRows(voice: Voice): readonly Route[] {
  return [
    mapRow(voice),
    ...faces.map((face) => startRow(face, voice)),
    ...faces.flatMap(({ rows }) => rows?.(voice) ?? []),
    ...faces.flatMap((face) => oneJobRows(face, voice)),
  ]
}

function mapRow(voice: Voice): Route {
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

function startRow(face: Face, voice: Voice): Route {
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

function inputOf({ input, engineChecks = false }: Voice['crawl']) {
  return { input, engineChecks }
}
