type Json = Readonly<Record<string, unknown>>

/** The parts of an OpenAPI document that contain schemas. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Json & { readonly schemas: Readonly<Record<string, Json>> }
}

interface Operation extends Json {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Json>>
}

/** Minimum JSON length of a shared schema. A reference has about this many characters, so shorter schemas stay inline. */
const minSharedLength = 120

/**
 * Moves schemas of objects, unions and enums that occur more than once and have at least 120 characters of JSON, and all
 * responses except those with status 200, to `components`. Generated clients then have one named type instead of many equal
 * ones. Returns a new document.
 */
export function shareSchemas(document: OpenApiDocument): OpenApiDocument {
  const { paths, components } = document
  const names = nameRepeated(document)
  const schemas = new Map<string, Json>(Object.entries(components.schemas))
  const share: Visit = (schema) => {
    const name = names.get(JSON.stringify(schema))
    if (name === undefined) return mapChildren(schema, share)
    if (!schemas.has(name)) schemas.set(name, mapChildren(schema, share))
    return { $ref: `#/components/schemas/${name}` }
  }
  for (const [name, schema] of schemas) schemas.set(name, mapChildren(schema, share))
  const failures = shareFailures(paths)
  const shared = mapValues(paths, (operations) =>
    mapValues(operations, (operation) => {
      const responses = mapValues(operation.responses, (response) => failures.references.get(response) ?? response)
      return { ...operation, ...asJson(mapSchemas({ ...operation, responses }, share)) }
    }),
  )
  const responses = failures.responses
  return { ...document, paths: shared, components: { ...components, schemas: Object.fromEntries(schemas), responses } }
}

interface Repeated {
  count: number
  readonly path: readonly string[]
}

/** Returns the names of schemas that occur more than once, keyed by their JSON. */
function nameRepeated({ paths, components }: OpenApiDocument): ReadonlyMap<string, string> {
  const found = new Map<string, Repeated>()
  const count: Visit = (schema, path) => {
    const key = JSON.stringify(schema)
    const known = found.get(key)
    if (known) known.count++
    else {
      found.set(key, { count: 1, path })
      mapChildren(schema, (child, name) => count(child, [...path, ...name]))
    }
    return schema
  }
  for (const operations of Object.values(paths))
    for (const operation of Object.values(operations)) {
      const id = pascalCase(operation.operationId)
      mapSchemas(operation.requestBody, (schema) => count(schema, [`${id}Request`]))
      mapSchemas(operation.responses, (schema) => count(schema, [`${id}Response`]))
    }
  for (const [name, schema] of Object.entries(components.schemas))
    mapChildren(schema, (child, path) => count(child, [name, ...path]))
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(components.schemas))
  for (const [key, { count: times, path }] of found) {
    if (times < 2 || key.length < minSharedLength || !/"(?:properties|anyOf|oneOf|enum)":/.test(key)) continue
    const name = freeName(path, taken)
    taken.add(name)
    names.set(key, name)
  }
  return names
}

/** Returns the shortest end of a path that gives an unused name: `Metadata`, else `DataMetadata`, and so on. */
function freeName(path: readonly string[], taken: ReadonlySet<string>): string {
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(-length).map(pascalCase).join('')
    if (!taken.has(name) && !vague.has(name)) return name
  }
  const fullName = path.map(pascalCase).join('')
  let number = 2
  while (taken.has(`${fullName}${number}`)) number++
  return `${fullName}${number}`
}

// Too generic as the name of a shared type.
const vague: ReadonlySet<string> = new Set(['Data', 'Item', 'Value', 'Option', 'Items', 'Options', 'Values', 'Fields'])

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
}

interface Failures {
  readonly references: ReadonlyMap<Json, Json>
  readonly responses: Readonly<Record<string, Json>>
}

/** Returns a named response for each distinct failure. */
function shareFailures(paths: OpenApiDocument['paths']): Failures {
  const references = new Map<Json, Json>()
  const names = new Map<string, string>()
  const responses: Record<string, Json> = {}
  const perStatus = new Map<string, number>()
  for (const { responses: all } of Object.values(paths).flatMap((operations) => Object.values(operations)))
    for (const [status, response] of Object.entries(all)) {
      if (status === '200') continue
      const key = `${status} ${JSON.stringify(response)}`
      let name = names.get(key)
      if (name === undefined) {
        const number = (perStatus.get(status) ?? 0) + 1
        perStatus.set(status, number)
        name = `${status === 'default' ? 'Failure' : `Status${status}`}${number > 1 ? `_${number}` : ''}`
        names.set(key, name)
        responses[name] = response
      }
      references.set(response, { $ref: `#/components/responses/${name}` })
    }
  return { references, responses }
}

/** Returns the replacement of a schema. `path` has the property names that lead to it. */
type Visit = (schema: Json, path: readonly string[]) => Json

/** Replaces the outermost schemas in a part of an operation. */
function mapSchemas(part: unknown, visit: Visit): unknown {
  if (Array.isArray(part)) return part.map((one) => mapSchemas(one, visit))
  if (!isJson(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      // Skip examples: they may have a field named `schema`.
      if (key === 'example' || key === 'examples') return [key, value]
      return [key, key === 'schema' && isJson(value) ? visit(value, []) : mapSchemas(value, visit)]
    }),
  )
}

const single: Readonly<Record<string, string>> = { items: 'item', additionalProperties: 'value' }
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])

/** Replaces the direct children of a schema. */
function mapChildren(schema: Json, visit: Visit): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isJson(value))
        return [key, mapValues(value, (child, name) => (isJson(child) ? visit(child, [name]) : child))]
      if (lists.has(key) && Array.isArray(value))
        return [key, value.map((child: unknown) => (isJson(child) ? visit(child, ['option']) : child))]
      const name = single[key]
      return [key, name !== undefined && isJson(value) ? visit(value, [name]) : value]
    }),
  )
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  to: (value: Value, name: string) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]))
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : {}
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
