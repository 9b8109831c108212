import { packageVersion } from '@harvestman/toolbox/package-version'
import { z } from 'zod'

import { clientKeysOf, refusedKeys } from '../request/client-keys.ts'
import { ownCodes, statuses } from '../refusals/errors.ts'
import type { Route, Schemas } from '../route/route.ts'
import { statusesOf } from '../refusals/statuses.ts'
import type { OpenApiDocument } from './share-schemas.ts'

const errorName = '#/components/schemas/Error'

/**
 * Describes the endpoints as an OpenAPI 3.1 document. Routes of missing plugins are omitted; routes that are not supported are
 * marked as deprecated.
 */
export function describeApi(all: readonly Route[], schemas: Schemas): OpenApiDocument {
  const routes = all.filter(({ absent }) => !absent)
  const named: Named = new Map<string, Schema>([['Error', jsonSchema(errorBody, 'output')]])
  const paths: Record<string, Record<string, ReturnType<typeof describeRoute>>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route, schemas, named) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Harvestman',
      version: packageVersion('@harvestman/http', '../../package.json', import.meta.url) ?? 'unknown',
      description: 'Web data: a URL in, clean content out. Version 1 is kept for older clients.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '.', description: 'The server of this document.' }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key, if the server requires one.' },
      },
      schemas: Object.fromEntries(named),
    },
  }
}

const codes = [...new Set([...Object.values(statuses).map(({ code }) => code), ...Object.values(ownCodes)])].toSorted()

const errorBody = z.object({
  success: z.literal(false),
  code: z
    .string()
    .meta({ examples: codes })
    .describe('The error code. Absent for an invalid job id, as in the public API.')
    .optional(),
  error: z.string().describe('The problem and its remedy.'),
  details: z.unknown().optional().describe('For an invalid request: a list of code, path and message.'),
})

type Schema = Readonly<Record<string, unknown>>
type Named = Map<string, Schema>

function describeRoute(route: Route, schemas: Schemas, named: Named) {
  const { summary, group, isOpen, input, example, unsupported, takesFile = false, takesBytes = false } = route
  const operationId = operationOf(route)
  const parameters = describeParameters(route, named)
  const body = input && bodySchema(group, shared(input(schemas), 'input', `${operationId}Body`, named))
  return {
    summary,
    operationId,
    tags: [group],
    ...(unsupported !== undefined && { deprecated: true }),
    security: isOpen ? [] : [{ key: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(takesBytes && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    ...(body && {
      requestBody: {
        required: true,
        content: takesFile ? formWith(body) : { 'application/json': { schema: body, example } },
      },
    }),
    responses: {
      ...(unsupported === undefined && describeSuccess(route, schemas, named)),
      ...describeStatuses(route),
      default: { description: 'Failure.', content: { 'application/json': { schema: { $ref: errorName } } } },
    },
  }
}

function formWith(options: { readonly properties?: object; readonly required?: readonly string[] }): object {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file, with its name.' }
  const schema = { type: 'object', required: ['file'], properties: { file, options } }
  const uploadRef = { type: 'string', format: 'uuid', description: 'The id of a file that was sent to an upload URL.' }
  const { properties = {}, required = [] } = options
  const named = { ...options, required: [...required, 'uploadRef'], properties: { ...properties, uploadRef } }
  return {
    'multipart/form-data': { schema, encoding: { options: { contentType: 'application/json' } } },
    'application/json': { schema: named },
  }
}

function operationOf({ method, path }: Route): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^\w]+(\w?)/g, (_, first: string) => first.toUpperCase())}`
}

function describeSuccess(route: Route, schemas: Schemas, named: Named): Readonly<Record<string, Schema>> {
  const { output, gives = 'application/json', lines } = route
  const name = `${operationOf(route)}Answer`
  const result = shared(output(schemas), 'output', name, named)
  // Some failures of the public API have status 200.
  const hasFailure = route.fails.some((code) => statuses[code].status === 200)
  const schema = hasFailure ? { oneOf: [result, { $ref: errorName }] } : result
  return {
    200: {
      description: 'Success.',
      content: {
        ...Object.fromEntries([gives].flat().map((type) => [type, { schema }])),
        ...(lines && { [lines.type]: { schema: shared(lines.each, 'output', name, named) } }),
      },
    },
  }
}

function describeParameters({ path, params = {}, query, reads = {} }: Route, named: Named): object[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = names.map((name) => {
    const type = params[name]
    const schema = type ? shared(type, 'input', name, named) : { type: 'string', format: 'uuid' }
    return { name, in: 'path', required: true, schema }
  })
  const inHeaders = Object.entries(reads).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...(query ? describeQuery(query) : []), ...inHeaders]
}

function describeQuery(query: z.ZodType): object[] {
  const { properties = {} } = jsonSchema(query, 'output') as { readonly properties?: Readonly<Record<string, object>> }
  const { required = [] } = jsonSchema(query, 'input') as { readonly required?: readonly string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
  }))
}

function describeStatuses(route: Route): Readonly<Record<string, Schema>> {
  const described = statusesOf(route).filter(({ status }) => status >= 400 && status !== 499)
  return Object.fromEntries(
    described.map(({ status, codes: found }) => [
      status,
      { description: found.join(', ') || 'Refused', content: { 'application/json': { schema: { $ref: errorName } } } },
    ]),
  )
}

/** Adds the keys that clients of the public API may send in addition to the schema of a body. */
function bodySchema(group: string, schema: { readonly properties?: object; readonly required?: readonly string[] }) {
  const tolerated = [...clientKeysOf(group)].map(
    (key) => [key, refusedKeys.has(key) ? refusedKey : ignoredKey] as const,
  )
  return { ...schema, properties: { ...Object.fromEntries(tolerated), ...schema.properties } }
}

const refusedKey = {
  description: 'Not supported: only a value that turns it off is accepted.',
  deprecated: true,
  'x-refused': true,
}
const ignoredKey = {
  description: 'Accepted from clients of the public API, and ignored.',
  deprecated: true,
  'x-ignored': true,
}

/** Returns the JSON Schema of a type. Its named parts move to the components of the document. */
function shared(schema: z.ZodType, io: 'input' | 'output', owner: string, named: Named): Schema {
  const { $defs = {}, ...rest } = jsonSchema(schema, io) as { readonly $defs?: Readonly<Record<string, Schema>> }
  // The converter numbers unnamed parts from zero in each schema.
  const nameOf = (name: string) => {
    if (isAnyJson($defs[name])) return 'JsonValue'
    return name.startsWith('__') ? `${owner}${name}` : `${name}${io === 'input' ? 'Input' : ''}`
  }
  const pointed = (value: object): Schema =>
    JSON.parse(
      JSON.stringify(value).replaceAll(
        /"#\/\$defs\/([^"]+)"/g,
        (_, name: string) => `"#/components/schemas/${nameOf(name)}"`,
      ),
    ) as Schema
  for (const [name, part] of Object.entries($defs))
    named.set(nameOf(name), isAnyJson(part) ? { description: 'Any JSON value.' } : pointed(part))
  return pointed(rest)
}

/** Returns whether a schema accepts every JSON value. Type generators cannot express a recursive union. */
function isAnyJson(schema: Schema | undefined): boolean {
  const { anyOf } = (schema ?? {}) as { readonly anyOf?: readonly { readonly type?: string }[] }
  const types = new Set(anyOf?.map(({ type }) => type))
  return ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) => types.has(type))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const {
    $schema: _,
    '~standard': __,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => prefixExtensions(made as Record<string, unknown>),
  }) as Record<string, unknown>
  return rest
}

const standardKeys: ReadonlySet<string> = new Set(
  `$schema $id $ref $defs $comment ~standard id type enum const title description default examples deprecated readOnly writeOnly
  allOf anyOf oneOf not if then else properties required additionalProperties patternProperties propertyNames minProperties
  maxProperties dependentRequired dependentSchemas unevaluatedProperties items prefixItems contains minItems maxItems uniqueItems
  minContains maxContains unevaluatedItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
  pattern format contentEncoding contentMediaType contentSchema discriminator example externalDocs xml`.split(/\s+/),
)

/** Prefixes keys that are not JSON Schema keywords, such as `unit`, with `x-`, as OpenAPI requires. */
function prefixExtensions(schema: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(schema)) {
    if (standardKeys.has(key) || key.startsWith('x-')) continue
    delete schema[key]
    schema[`x-${key}`] = value
  }
}
