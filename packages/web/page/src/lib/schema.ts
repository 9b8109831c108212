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
  readonly deprecated?: boolean
  readonly $ref?: string
  readonly unit?: string
  readonly group?: string
  readonly order?: number
  readonly hidden?: boolean
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
  const found = description.paths[path]?.['post']?.requestBody?.content['application/json']?.schema
  return found && resolve(found, description)
}

/** What a field is shown as. */
export type Kind = 'boolean' | 'integer' | 'text' | 'choice' | 'strings' | 'object' | 'json'

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: Kind
  readonly schema: Schema
  readonly choices: readonly string[]
}

// These have a place of their own in the form.
const placed = new Set(['url', 'urls', 'formats', 'origin', 'integration'])

export function fieldsOf(schema: Schema, description: Description): readonly Field[] {
  return Object.entries(schema.properties ?? {})
    .map(([name, given]) => [name, resolve(given, description)] as const)
    .filter(([name, field]) => !placed.has(name) && !field.deprecated && !field.hidden)
    .map(([name, field]) => toField(name, field))
    .toSorted((a, b) => (a.schema.order ?? 1_000) - (b.schema.order ?? 1_000))
}

function toField(name: string, schema: Schema): Field {
  const choices = (schema.enum ?? []).filter((choice): choice is string => typeof choice === 'string')
  return { name, label: schema.title ?? name, kind: kindOf(schema, choices), schema, choices }
}

function kindOf(schema: Schema, choices: readonly string[]): Kind {
  if (choices.length > 0) return 'choice'
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
    default:
      return 'json'
  }
}

/** The words that `formats` takes, without those that need options to be of use. */
export function formatNames(schema: Schema, description: Description): readonly string[] {
  const formats = schema.properties?.['formats']
  const items = formats && resolve(formats, description).items
  const named =
    items && [items, ...(items.anyOf ?? []), ...(items.oneOf ?? [])].map((part) => resolve(part, description))
  const words = named?.flatMap((part) => part.enum ?? []) ?? []
  return words.filter((word): word is string => typeof word === 'string')
}
