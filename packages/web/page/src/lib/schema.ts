import { call } from './api.ts'

/** As much of JSON Schema as request schemas use. */
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
  readonly $ref?: string
  readonly unit?: string
  readonly group?: string
  readonly order?: number
  readonly hidden?: boolean
  readonly needs?: string
  readonly defaultText?: string
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
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

let description: Promise<Description> | undefined

/** What the server says of itself; asked once. */
export function describe(): Promise<Description> {
  description ??= call<Description>('openapi.json').catch((error: unknown) => {
    description = undefined
    throw error
  })
  return description
}

/** Follows a name to the schema that has it. */
export function resolve(schema: Schema, { components }: Description): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const found = name === undefined ? undefined : components?.schemas?.[name]
  return found
    ? { ...found, ...schema, ...(found.description && { description: schema.description ?? found.description }) }
    : schema
}

export function bodyOf(path: string, description: Description): Schema | undefined {
  const content = description.paths[path]?.['post']?.requestBody?.content
  const found = content?.['application/json']?.schema
  if (found) return resolve(found, description)
  // Of a file that is sent, the options stand beside it.
  const options = content?.['multipart/form-data']?.schema.properties?.['options']
  return options && resolve(options, description)
}

/** Whether the server has this endpoint, and does not only say why not. */
export function isOffered(path: string, { paths }: Description): boolean {
  const operation = paths[path]?.['post']
  return operation?.requestBody !== undefined && !operation.tags?.includes('out of scope')
}

/** What a field is shown as. */
export type FieldKind = 'boolean' | 'integer' | 'text' | 'choice' | 'strings' | 'object' | 'schema' | 'json'

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  readonly schema: Schema
  readonly choices: readonly string[]
  readonly isRequired: boolean
}

// These have a place of their own in the form.
const placed: ReadonlySet<string> = new Set(['url', 'query', 'formats', 'prompt', 'type'])

/** The fields of a request, in their order, without those that have a place of their own. */
export function fieldsOf(
  schema: Schema,
  description: Description,
  apart: ReadonlySet<string> = placed,
): readonly Field[] {
  return Object.entries(schema.properties ?? {})
    .map(([name, given]) => [name, resolve(given, description)] as const)
    .filter(([name, field]) => !apart.has(name) && !field.deprecated && !field.hidden)
    .map(([name, field]) => toField(name, field, schema.required?.includes(name) ?? false))
    .toSorted((a, b) => (a.schema.order ?? 1_000) - (b.schema.order ?? 1_000))
}

function toField(name: string, schema: Schema, isRequired: boolean): Field {
  const choices = (schema.enum ?? []).filter((choice): choice is string => typeof choice === 'string')
  return { name, label: schema.title ?? name, kind: kindOf(schema, choices), schema, choices, isRequired }
}

function kindOf(schema: Schema, choices: readonly string[]): FieldKind {
  if (choices.length > 0) return 'choice'
  // A text that may be null is a text that may be left out.
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

/** The options of each format, by its name; formats without any are absent. */
export function formatFields(schema: Schema, description: Description): ReadonlyMap<string, readonly Field[]> {
  const formats = schema.properties?.['formats']
  const items = formats && resolve(formats, description).items
  const parts = (items?.anyOf ?? []).flatMap((part) => part.oneOf ?? part.anyOf ?? [part])
  const named = parts.flatMap((part) => {
    const found = resolve(part, description)
    const name = found.properties?.['type']?.const
    const fields = fieldsOf(found, description, typeOnly)
    return typeof name === 'string' && fields.length > 0 ? [[name, fields] as const] : []
  })
  return new Map(named)
}

/** The words that `formats` takes. */
export function formatNames(schema: Schema, description: Description): readonly string[] {
  const formats = schema.properties?.['formats']
  const items = formats && resolve(formats, description).items
  const named =
    items && [items, ...(items.anyOf ?? []), ...(items.oneOf ?? [])].map((part) => resolve(part, description))
  const words = named?.flatMap((part) => part.enum ?? []) ?? []
  return words.filter((word): word is string => typeof word === 'string')
}
