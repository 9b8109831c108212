import { addField, emptyShape, merge, type Contract, type Route, type Shape } from './shape.ts'

type Json = Readonly<Record<string, unknown>>

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
const maxDepth = 12

interface Operation {
  readonly deprecated?: boolean
  readonly summary?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Json }[]
  readonly requestBody?: Json
  readonly responses?: Readonly<Record<string, Json>>
}

/** Reads an OpenAPI document of version 3. */
export function readOpenApi(document: Json): Contract {
  const resolve = (value: unknown): { readonly schema: Json; readonly at?: string } => {
    const { $ref } = (value ?? {}) as { readonly $ref?: string }
    if ($ref === undefined) return { schema: (value ?? {}) as Json }
    const steps = $ref.slice(2).split('/')
    const found = steps.reduce<unknown>((from, key) => (from as Json | undefined)?.[unescapePointer(key)], document)
    const { $ref: _, ...beside } = value as Json
    const schema = Object.keys(beside).length === 0 ? (found as Json) : { allOf: [found, beside] }
    return { schema, at: $ref }
  }

  const shapeOf = (value: unknown, at: string, within: readonly string[] = []): Shape => {
    const shape = emptyShape()
    const { schema, at: named } = resolve(value)
    if (within.length > maxDepth || (named !== undefined && within.includes(named))) {
      shape.kinds.add('any')
      return shape
    }
    const place = named ?? at
    const inside = [...within, named ?? '']
    const read = (part: unknown, where: string) => shapeOf(part, `${place}${where}`, inside)

    const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => list(schema[key]).map((part) => ({ key, part })))
    for (const [index, { key, part }] of parts.entries()) merge(shape, read(part, `/${key}/${String(index)}`))
    for (const type of list(schema['type'])) if (type !== 'string') shape.kinds.add(kindOf(String(type)))
    const literals = [...list(schema['enum']), ...('const' in schema ? [schema['const']] : [])]
    for (const literal of literals) {
      if (typeof literal === 'string') shape.values.set(literal, place)
      else shape.kinds.add(literal === null ? 'null' : typeof literal)
    }
    if (literals.length === 0 && list(schema['type']).includes('string')) shape.kinds.add('string')
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Json)) {
      shape.kinds.add('object')
      addField(shape, name, {
        shape: read(property, `/properties/${name}`),
        at: `${place}/properties/${name}`,
        ...((property as Json)['x-refused'] === true && { only: 'refused field' }),
        ...((property as Json)['x-ignored'] === true && { only: 'ignored field' }),
      })
    }
    // `items: false` ends a list whose first items are given.
    for (const part of [...list(schema['items']), ...list(schema['prefixItems'])].filter((part) => part !== false)) {
      const items = read(part, '/items')
      if (shape.items) merge(shape.items, items)
      else shape.items = items
    }
    // `{}` in a schema that an output allows is how generators write "other fields are possible".
    const { additionalProperties: others } = schema
    if (others !== undefined && others !== false) shape.isOpen = true
    if (shape.kinds.size === 0 && shape.values.size === 0 && !('not' in schema)) shape.kinds.add('any')
    return shape
  }

  const routes = new Map<string, Route>()
  const codes = new Map<string, string>()
  const { servers } = document as { readonly servers?: readonly { readonly url: string }[] }
  const prefix = /\/v\d+\/?$/.exec(servers?.[0]?.url ?? '')?.[0].replace(/\/$/, '') ?? ''
  for (const [path, operations] of Object.entries(document['paths'] as Readonly<Record<string, Json>>)) {
    for (const [method, value] of Object.entries(operations)) {
      if (!methods.has(method)) continue
      const operation = value as Operation
      const at = `#/paths/${path.replaceAll('/', '~1')}/${method}`
      const name = `${method.toUpperCase()} ${/^\/v\d/.test(path) ? '' : prefix}${path.replaceAll(/\{\w+\}/g, '{}')}`
      const requests = bodiesOf(resolve(operation.requestBody).schema).map((body) => shapeOf(body, `${at}/requestBody`))
      const query = emptyShape()
      for (const given of operation.parameters ?? []) {
        const parameter = resolve(given).schema as unknown as NonNullable<Operation['parameters']>[number]
        const place = `${at}/parameters/${parameter.name}`
        if (parameter.in === 'query')
          addField(query, parameter.name, { shape: shapeOf(parameter.schema, place), at: place })
      }
      const bodies = [...requests, query].filter(({ fields }) => fields.size > 0).map((shape) => ({ shape }))
      const success = resolve(operation.responses?.['200']).schema
      const responses = bodiesOf(success).map((body) => shapeOf(body, `${at}/responses/200`))
      const { description } = success as { readonly description?: string }
      const isRefused = operation.deprecated === true && !('200' in (operation.responses ?? {}))
      routes.set(name, {
        name,
        at,
        requests: bodies,
        responses,
        ...(isRefused && { refused: operation.summary ?? description ?? '' }),
      })
    }
  }
  collectCodes(document, '#', codes)
  return { routes, codes }
}

const codeName = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/

/** Finds the values of every property named `code`, and codes in the descriptions of failures. */
function collectCodes(value: unknown, at: string, codes: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value as Json)) {
    const place = `${at}/${key.replaceAll('/', '~1')}`
    if (key === 'code' && typeof part === 'string') addCode(part, place, codes)
    else if (key === 'code' && typeof part === 'object' && part !== null) {
      const { enum: literals, examples, example, const: literal } = part as Json
      for (const code of [list(literals), list(examples), list(example), list(literal)].flat())
        addCode(code, place, codes)
    }
    if (key === 'responses' && typeof part === 'object' && part !== null)
      for (const [status, response] of Object.entries(part as Readonly<Record<string, { description?: string }>>))
        for (const word of (response.description ?? '').split(/[^\w]+/)) addCode(word, `${place}/${status}`, codes)
    collectCodes(part, place, codes)
  }
}

function addCode(code: unknown, at: string, codes: Map<string, string>): void {
  if (typeof code === 'string' && codeName.test(code) && !codes.has(code)) codes.set(code, at)
}

function bodiesOf(holder: Json): readonly unknown[] & unknown[] {
  const content = (holder['content'] ?? {}) as Readonly<Record<string, { readonly schema?: unknown }>>
  return Object.entries(content).flatMap(([type, { schema }]) => {
    if (schema === undefined) return []
    // The options of a form are one of its fields.
    const { properties } = schema as { readonly properties?: { readonly options?: unknown } }
    if (type === 'multipart/form-data')
      return [{ properties: { file: {} } }, ...(properties?.options === undefined ? [] : [properties.options])]
    return type.endsWith('json') ? [schema] : []
  })
}

const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value]

const kindOf = (type: string) => (type === 'integer' ? 'number' : type)

const unescapePointer = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')
