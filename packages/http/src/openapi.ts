import { z } from 'zod'

import { clientKeys } from './client-keys.ts'
import { ownCodes, statuses } from './errors.ts'
import type { Route, Schemas } from './route.ts'

const errorName = '#/components/schemas/Error'

/** Describes the endpoints as OpenAPI 3.1. */
export function describeApi(routes: readonly Route[], schemas: Schemas): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Harvestman',
      version: '2',
      description: 'Web data: a URL in, clean content out. Version 1 is kept for older clients.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'The API key, if the server has any.' } },
      schemas: { Error: jsonSchema(errorBody, 'output') },
    },
  }
}

const codes = [...new Set([...Object.values(statuses).map(({ code }) => code), ...Object.values(ownCodes)])].toSorted()

const errorBody = z.object({
  success: z.literal(false),
  code: z.string().meta({ examples: codes }).describe('What is wrong, for programs.'),
  error: z.string().describe('What is wrong and what to do, for people.'),
  details: z.unknown().optional().describe('For a request that is not valid: a list of code, path and message.'),
})

function describeRoute(
  { method, path, summary, isOpen, input, output, query, reads = {}, gives = 'application/json', lines }: Route,
  schemas: Schemas,
): object {
  const body = input?.(schemas)
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = [
    ...ids.map(describeId),
    ...(query ? describeQuery(query) : []),
    ...Object.entries(reads).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
  ]
  return {
    summary,
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^\w]+(\w?)/g, (_, first: string) => first.toUpperCase())}`,
    tags: [path.match(/^\/(v[12])\//)?.[1] ?? 'service'],
    ...(!isOpen && { security: [{ key: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: bodySchema(body) } } } }),
    responses: {
      200: {
        description: 'Success.',
        content: {
          [gives]: { schema: jsonSchema(output(schemas), 'output') },
          ...(lines && { [lines.type]: { schema: jsonSchema(lines.each, 'output') } }),
        },
      },
      ...(isOpen ? {} : errorResponses),
      default: { description: 'Failure.', content: { 'application/json': { schema: { $ref: errorName } } } },
    },
  }
}

function describeId(name: string | undefined): object {
  return { name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
}

function describeQuery(query: z.ZodType): object[] {
  const { properties = {} } = jsonSchema(query, 'output') as { readonly properties?: Readonly<Record<string, object>> }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

const errorResponses = Object.fromEntries(
  [...Map.groupBy(Object.values(statuses), ({ status }) => status)]
    .filter(([status]) => status >= 400 && status !== 499)
    .map(([status, rows]) => [
      status,
      {
        description: [...new Set(rows.map(({ code }) => code))].join(', '),
        content: { 'application/json': { schema: { $ref: errorName } } },
      },
    ]),
)

// Every JSON body may carry these, whatever its schema says.
const tolerated = Object.fromEntries(
  [...clientKeys].map((key) => [key, { description: 'Taken from clients of the public API.', deprecated: true }]),
)

function bodySchema(input: z.ZodType): object {
  const schema = jsonSchema(input, 'input') as { readonly properties?: object }
  return { ...schema, properties: { ...tolerated, ...schema.properties } }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const {
    $schema: _,
    '~standard': __,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return rest
}
