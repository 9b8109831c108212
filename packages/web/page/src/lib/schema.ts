import { client } from './api.ts'

/** The subset of JSON Schema that request schemas use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly format?: string
  readonly contentMediaType?: string
  readonly deprecated?: boolean
  readonly 'x-unit'?: string
  readonly 'x-group'?: string
  readonly 'x-order'?: number
  readonly 'x-needs'?: string
  readonly 'x-defaultText'?: string
}

export interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Schema
    readonly description?: string
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>
}

export interface Description {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let description: Promise<Description> | undefined

/**
 * Returns the OpenAPI document of the server; loaded once. After a failure, which rejects, the next call tries again.
 */
export function describe(): Promise<Description> {
  description ??= client
    .request<Description>('/openapi.json')
    .then(inlineReferences)
    .catch((error: unknown) => {
      description = undefined
      throw error
    })
  return description
}

/** Replaces references by their targets. A recursive schema becomes a recursive object. */
function inlineReferences(document: Description): Description {
  const known = new Map<string, object>()
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as { readonly $ref?: unknown }
    if (typeof $ref !== 'string') return mapValues(value, inline)
    const target = known.get($ref) ?? follow($ref)
    return Object.keys(rest).length === 0 ? target : { ...target, ...mapValues(rest, inline) }
  }
  const follow = ($ref: string): object => {
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], document)
    const target = {}
    known.set($ref, target)
    return Object.assign(target, inline(found))
  }
  return inline(document) as Description
}

function mapValues(record: object, to: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
}

/** Returns the schema of the request body of a POST endpoint; `undefined` if there is none. */
export function bodyOf(path: string, description: Description): Schema | undefined {
  const content = description.paths[path]?.['post']?.requestBody?.content
  const found = content?.['application/json']?.schema
  if (found) return found
  // If the body is a form with a file, the options are in its field `options`.
  const options = content?.['multipart/form-data']?.schema.properties?.['options']
  return options
}

/** Returns whether the server has this endpoint, not only a route that explains its absence. */
export function isOffered(path: string, { paths }: Description): boolean {
  const operation = paths[path]?.['post']
  return operation?.requestBody !== undefined && !operation.tags?.includes('out of scope')
}

/** How a field is shown. */
export type FieldKind = 'boolean' | 'integer' | 'text' | 'choice' | 'strings' | 'object' | 'schema' | 'json'

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  readonly schema: Schema
  readonly choices: readonly string[]
  readonly isRequired: boolean
}

// Fields with an input elsewhere in the form.
const placed: ReadonlySet<string> = new Set(['url', 'query', 'formats', 'prompt', 'type'])

/**
 * Returns the fields of a request in display order, without deprecated ones and those in `apart`,
 * which have an input elsewhere.
 */
export function fieldsOf(schema: Schema, apart: ReadonlySet<string> = placed): readonly Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name, field]) => !apart.has(name) && !field.deprecated)
    .map(([name, field]) => toField(name, field, schema.required?.includes(name) ?? false))
    .toSorted((a, b) => (a.schema['x-order'] ?? 1_000) - (b.schema['x-order'] ?? 1_000))
}

function toField(name: string, schema: Schema, isRequired: boolean): Field {
  const choices = (schema.enum ?? []).filter((choice): choice is string => typeof choice === 'string')
  return { name, label: schema.title ?? name, kind: kindOf(schema, choices), schema, choices, isRequired }
}

function kindOf(schema: Schema, choices: readonly string[]): FieldKind {
  if (choices.length > 0) return 'choice'
  // A nullable string is an optional string.
  if (
    schema.anyOf?.some(({ type }) => type === 'string') &&
    schema.anyOf.every(({ type }) => type === 'string' || type === 'null')
  )
    return 'text'
  if (schema.contentMediaType === 'application/schema+json') return 'schema'
  switch (schema.type) {
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return 'integer'
    case 'string':
      return 'text'
    case 'array':
      return schema.items?.type === 'string' ? 'strings' : 'json'
    case 'object':
      return schema.properties ? 'object' : 'json'
    default:
      return 'json'
  }
}

const typeOnly = new Set(['type'])

/**
 * Returns the options of each format by name; formats without options are absent. Empty if the request has no formats.
 */
export function formatFields(schema: Schema): ReadonlyMap<string, readonly Field[]> {
  const items = schema.properties?.['formats']?.items
  const parts = (items?.anyOf ?? []).flatMap((part) => part.oneOf ?? part.anyOf ?? [part])
  const named = parts.flatMap((part) => {
    const name = part.properties?.['type']?.const
    const fields = fieldsOf(part, typeOnly)
    return typeof name === 'string' && fields.length > 0 ? [[name, fields] as const] : []
  })
  return new Map(named)
}

/** Returns the format names that `formats` accepts. Empty if the request has no formats. */
export function formatNames(schema: Schema): readonly string[] {
  const items = schema.properties?.['formats']?.items
  const named = items && [items, ...(items.anyOf ?? []), ...(items.oneOf ?? [])]
  const words = named?.flatMap((part) => part.enum ?? []) ?? []
  return words.filter((word): word is string => typeof word === 'string')
}
