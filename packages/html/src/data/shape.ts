// A JSON Schema reduced to the kind of value that each field needs. Values are not validated against the full schema
// here; callers do that.

export interface ScalarShape {
  readonly kind: 'scalar'
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly format: string
  readonly allowed: readonly unknown[] | undefined
  readonly minimum: number
  readonly maximum: number
}

export interface ArrayShape {
  readonly kind: 'array'
  readonly items: Shape
  readonly most: number
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly fields: readonly { readonly name: string; readonly title: string; readonly shape: Shape }[]
}

export type Shape = ScalarShape | ArrayShape | ObjectShape

const bounds = { depth: 8, fields: 500, refs: 20 } as const

type Record_ = Readonly<Record<string, unknown>>

interface Reading {
  readonly root: Record_
  fields: number
}

/**
 * Returns the shape of a JSON Schema; `undefined` if it is not an object, has several alternatives besides null, or an unknown
 * type. Fields that cannot be filled are omitted, and so are those below 8 levels or after the first 500.
 */
export function readShape(schema: unknown): Shape | undefined {
  return isRecord(schema) ? shapeOf({ root: schema, fields: 0 }, schema, 0) : undefined
}

function shapeOf(reading: Reading, schema: unknown, depth: number): Shape | undefined {
  if (depth > bounds.depth) return undefined
  const node = resolve(reading.root, schema)
  if (!node) return undefined
  const type = typeOf(node)
  if (type === 'object') return objectShape(reading, node, depth)
  if (type === 'array') {
    const items = shapeOf(reading, node['items'] ?? { type: 'string' }, depth + 1)
    return items && { kind: 'array', items, most: asNumber(node['maxItems'], Number.POSITIVE_INFINITY) }
  }
  if (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean') return undefined
  return {
    kind: 'scalar',
    type,
    format: typeof node['format'] === 'string' ? node['format'] : '',
    allowed: Array.isArray(node['enum']) ? node['enum'] : 'const' in node ? [node['const']] : undefined,
    minimum: asNumber(node['minimum'], Number.NEGATIVE_INFINITY),
    maximum: asNumber(node['maximum'], Number.POSITIVE_INFINITY),
  }
}

function objectShape(reading: Reading, node: Record_, depth: number): Shape {
  const fields: ObjectShape['fields'][number][] = []
  for (const [name, inner] of Object.entries(isRecord(node['properties']) ? node['properties'] : {})) {
    if (++reading.fields > bounds.fields) break
    const shape = shapeOf(reading, inner, depth + 1)
    const title = isRecord(inner) && typeof inner['title'] === 'string' ? inner['title'] : ''
    if (shape) fields.push({ name, title, shape })
  }
  return { kind: 'object', fields }
}

/** Follows a `$ref` within the schema, and picks the only alternative that is not null. */
function resolve(root: Record_, schema: unknown): Record_ | undefined {
  let node = schema
  for (let turn = 0; turn < bounds.refs; turn += 1) {
    if (!isRecord(node)) return undefined
    const target = node['$ref']
    if (typeof target === 'string') {
      node = lookUp(root, target)
      continue
    }
    const choices = node['anyOf'] ?? node['oneOf'] ?? node['allOf']
    if (!Array.isArray(choices) || node['properties'] !== undefined) return node
    const real = choices.filter((choice) => !(isRecord(choice) && choice['type'] === 'null'))
    if (real.length !== 1) return undefined
    node = real[0]
  }
  return undefined
}

function lookUp(root: Record_, pointer: string): unknown {
  if (!pointer.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of pointer.slice(1).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}

function typeOf(node: Record_): string {
  const { type } = node
  const named = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type]
  if (typeof named[0] === 'string') return named.includes('string') ? 'string' : named[0]
  if (isRecord(node['properties'])) return 'object'
  if (node['items'] !== undefined) return 'array'
  return 'string'
}

function asNumber(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** Returns whether a value is an object: not `null` and not an array. */
export function isRecord(value: unknown): value is Record_ {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
