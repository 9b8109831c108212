// List of the kinds of jobs of a server: all that a program needs to start, read and cancel one it was not written for.
import { endpointOf } from '@harvestman/core'
import type { JobPart } from '@harvestman/core/plugin'
import { describeSchema } from '@harvestman/core/schema'
import { z } from 'zod'

import { route, type Route } from '../route/route.ts'

const jsonSchema = z.looseObject({}).describe('A JSON Schema.')

const listed = z.object({
  kind: z.string().describe('Its name in lists, events and paths.'),
  title: z.string().describe('What people call it.'),
  says: z.string().describe('What it does, in a sentence.'),
  path: z.string().describe('Where it is started; `/{id}` behind it is where it is read, and cancelled by `DELETE`.'),
  about: z.string().describe('The option that says what a job is about.'),
  example: z.looseObject({}).describe('A request.'),
  request: jsonSchema.describe('What it is asked for, as JSON Schema.'),
  answer: jsonSchema.describe('What stands in `data` when it is completed, as JSON Schema.'),
})

export function kindListRow(kinds: readonly JobPart[]): Route {
  let known: readonly z.input<typeof listed>[] | undefined
  return route({
    method: 'GET',
    path: '/v2/kinds',
    group: 'service',
    summary: 'Lists the job kinds of plugins, with the schemas of their requests and answers.',
    output: () => z.object({ success: z.literal(true), kinds: z.array(listed) }),
    run: () => ({ success: true as const, kinds: [...(known ??= kinds.map(listedKind))] }),
  })
}

function listedKind(part: JobPart): z.input<typeof listed> {
  const { kind, title, says, about, example, request, answer } = part
  return {
    ...{ kind, title, says, path: ownPath(part), about, example: { ...example } },
    request: { ...describeSchema(request) },
    answer: { ...describeSchema(answer) },
  }
}

/** Path under which every kind is found, whatever older shapes it has elsewhere. */
export function ownPath({ kind }: Pick<JobPart, 'kind'>): `/${string}` {
  return `/v2/${endpointOf(kind)}`
}
