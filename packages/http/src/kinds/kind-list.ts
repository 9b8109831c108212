// Lists the job kinds of a server, with everything that a client needs to start, read and cancel kinds it was not written for.
import { endpointOf } from '@harvestman/core'
import type { JobPart } from '@harvestman/core/plugin'
import { describeSchema } from '@harvestman/core/schema'
import { z } from 'zod'

import { route, type Route } from '../route/route.ts'

const jsonSchema = z.looseObject({}).describe('A JSON Schema.')

const listed = z.object({
  kind: z.string().describe('Its name in lists, events and paths.'),
  title: z.string().describe('The display name.'),
  description: z.string().describe('What it does, in a sentence.'),
  path: z
    .string()
    .describe('The path that starts a job. `GET` of the path and `/{id}` returns its status, and `DELETE` cancels it.'),
  needs: z.array(z.string()).describe('The ports that it requires.'),
  about: z.string().describe('The option that describes the subject of a job.'),
  example: z.looseObject({}).describe('A request.'),
  request: jsonSchema.describe('The JSON Schema of the request.'),
  answer: jsonSchema.describe('The JSON Schema of `data` of a completed job.'),
})

const addedPart = z.object({
  type: z.string(),
  plugin: z.string().describe('The plugin that adds it.'),
  options: jsonSchema.describe('The JSON Schema of its options.'),
})

const abilities = z
  .object({
    ports: z.array(z.string()).describe('The ports of the engine, such as `llm`, `search` or `sessions`.'),
    endpoints: z.array(z.string()).describe('The operations of the engine, as named in the activity.'),
    formats: z.array(z.string()).describe('The available formats.'),
    added: z
      .object({
        formats: z.array(addedPart.extend({ as: z.string().describe('The property of the document with the value.') })),
        actions: z.array(addedPart),
      })
      .describe('The formats and actions of plugins.'),
  })
  .describe('The abilities of this server.')

/** Returns the route that lists the job kinds of plugins with their schemas, and the abilities of the server. */
export function kindListRow(kinds: readonly JobPart[]): Route {
  let known: readonly z.input<typeof listed>[] | undefined
  return route({
    method: 'GET',
    path: '/v2/kinds',
    group: 'service',
    summary:
      'Lists the job kinds of plugins, with the schemas of their requests and answers, and the abilities of the server.',
    output: () => z.object({ success: z.literal(true), kinds: z.array(listed), abilities }),
    run: ({ engine }) => {
      const { ports, endpoints, formats, added } = engine.capabilities()
      const usable = Object.keys(formats).filter((type) => formats[type])
      return {
        success: true as const,
        kinds: [...(known ??= kinds.map(listedKind))],
        abilities: {
          ports: [...ports],
          endpoints: [...endpoints],
          formats: usable,
          added: {
            formats: added.formats.map((part) => ({ ...part, options: { ...describeSchema(part.options) } })),
            actions: added.actions.map((part) => ({ ...part, options: { ...describeSchema(part.options) } })),
          },
        },
      }
    },
  })
}

function listedKind(part: JobPart): z.input<typeof listed> {
  const { kind, title, description, about, example, request, answer, requires } = part
  return {
    ...{
      kind,
      title,
      description,
      path: ownPath(part),
      needs: Object.values(requires).map(({ name }) => name),
      about,
      example: { ...example },
    },
    request: { ...describeSchema(request) },
    answer: { ...describeSchema(answer) },
  }
}

/** Returns the path that every kind has, such as `/v2/agent`, in addition to the paths of older endpoint shapes. */
export function ownPath({ kind }: Pick<JobPart, 'kind'>): `/${string}` {
  return `/v2/${endpointOf(kind)}`
}
