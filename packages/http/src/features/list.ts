// Lists the features of a server, with everything that a client needs to call endpoints it was not written for.
import { hasInput, paramNames, resultFormOf, type Endpoint, type Feature } from '@harvestman/core/plugin'
import { describeSchema } from '@harvestman/core/schema'
import { z } from 'zod'

import { route, type Route } from '../route/route.ts'

const jsonSchema = z.looseObject({}).describe('A JSON Schema.')

const listedEndpoint = z.object({
  name: z.string().describe('The name of its method in clients, and of its command.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().describe('The path, with parameters in braces.'),
  summary: z.string().describe('One sentence about what it does.'),
  params: z.array(z.string()).describe('The parameters of the path, in order.'),
  input: jsonSchema.nullable().describe('The JSON body, or the query string of `GET` and `DELETE`; null without one.'),
  result: z
    .enum(['data', 'flat', 'whole', 'file', 'none'])
    .describe(
      'Where the response has the result: in one property (`data`), beside `success` (`flat`), with its own `success` (`whole`), as a file (`file`), or nowhere (`none`).',
    ),
  property: z.string().describe('The property with the result, if `result` is `data`.'),
  isRead: z.boolean().describe('Whether it has no side effects.'),
  isRepeatable: z.boolean().describe('Whether repeating a call has no further effect.'),
  isTool: z.boolean().describe('Whether it is offered to language models.'),
})

const listedFeature = z.object({
  name: z.string(),
  group: z.string().describe('The scope that a key needs.'),
  endpoints: z.array(listedEndpoint),
})

/** Returns the route that lists the given features with the schemas of their endpoints. */
export function featureListRow(features: readonly Feature[]): Route {
  let known: readonly z.input<typeof listedFeature>[] | undefined
  return route({
    method: 'GET',
    path: '/v2/features',
    group: 'service',
    summary: 'Lists the features of the server with the schemas of their endpoints.',
    output: () => z.object({ success: z.literal(true), features: z.array(listedFeature) }),
    run: () => ({ success: true as const, features: [...(known ??= features.map(featureOf))] }),
  })
}

function featureOf({ name, group, endpoints }: Feature): z.input<typeof listedFeature> {
  return { name, group, endpoints: Object.entries(endpoints).map(([key, one]) => endpointOf(key, one)) }
}

function endpointOf(name: string, endpoint: Endpoint): z.input<typeof listedEndpoint> {
  const { method, path, summary, input, isRead, isRepeatable, property, tool: isTool } = endpoint
  return {
    ...{ name, method, path, summary, params: [...paramNames(path)], isRead, isRepeatable, property, isTool },
    input: hasInput(endpoint) ? { ...describeSchema(input) } : null,
    result: resultFormOf(endpoint),
  }
}
