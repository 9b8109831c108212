// Converts a JSON Schema of an object to a list of fields and back.

/** Type of a field in the schema editor. */
export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'strings' | 'objects'

/** A field in the schema editor. */
export interface BuiltField {
  readonly name: string
  readonly type: FieldType
  readonly isRequired: boolean
  readonly description: string
  /** Fields of an object, or of each object in a list. */
  readonly fields: readonly BuiltField[]
}

export const typeNames: Readonly<Record<FieldType, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  strings: 'list of texts',
  object: 'object',
  objects: 'list of objects',
}

export const newField: BuiltField = { name: '', type: 'string', isRequired: false, description: '', fields: [] }

type Json = Readonly<Record<string, unknown>>

/** Returns the JSON Schema of an object with these fields. Fields without a name are skipped. */
export function schemaOf(fields: readonly BuiltField[]): Json {
  const named = fields.filter(({ name }) => name.trim() !== '')
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(named.map((field) => [field.name, schemaOfField(field)])),
    ...(required.length > 0 && { required }),
  }
}

function schemaOfField({ type, description, fields }: BuiltField): Json {
  const about = description === '' ? {} : { description }
  if (type === 'strings') return { type: 'array', items: { type: 'string' }, ...about }
  if (type === 'objects') return { type: 'array', items: schemaOf(fields), ...about }
  return type === 'object' ? { ...schemaOf(fields), ...about } : { type, ...about }
}

const deepest = 4

/** Returns the fields of a schema, or `undefined` if fields cannot represent all of it. */
export function fieldsOfSchema(schema: unknown, depth = 0): readonly BuiltField[] | undefined {
  if (!isObject(schema) || schema['type'] !== 'object' || depth > deepest) return undefined
  const { type: _, properties = {}, required = [], description: _about, ...rest } = schema
  if (Object.keys(rest).length > 0 || !isObject(properties) || !Array.isArray(required)) return undefined
  const fields = Object.entries(properties).map(([name, one]) => fieldOf(name, one, required.includes(name), depth))
  return fields.every((field) => field !== undefined) ? fields : undefined
}

const plain: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

function isPlain(type: unknown): type is 'string' | 'number' | 'integer' | 'boolean' {
  return plain.has(type)
}

function fieldOf(name: string, schema: unknown, isRequired: boolean, depth: number): BuiltField | undefined {
  if (!isObject(schema)) return undefined
  const { type, description = '', items, ...rest } = schema
  if (typeof description !== 'string') return undefined
  const common = { name, isRequired, description, fields: [] }
  if (type === 'object') {
    const fields = fieldsOfSchema(schema, depth + 1)
    return fields && { ...common, type, fields }
  }
  if (Object.keys(rest).length > 0) return undefined
  if (isPlain(type)) return items === undefined ? { ...common, type } : undefined
  if (type !== 'array' || !isObject(items)) return undefined
  if (items['type'] === 'string' && Object.keys(items).length === 1) return { ...common, type: 'strings' }
  const fields = fieldsOfSchema(items, depth + 1)
  return fields && { ...common, type: 'objects', fields }
}

/**
 * Infers a schema from a value, such as the data of a page, as a first draft. Items of an empty list, and objects that
 * are nested too deeply, count as strings; null properties are omitted.
 */
export function schemaOfValue(value: unknown, depth = 0): Json {
  if (Array.isArray(value)) return { type: 'array', items: schemaOfValue(value[0] ?? '', depth + 1) }
  if (isObject(value) && depth <= deepest) {
    const told = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
    return {
      type: 'object',
      properties: Object.fromEntries(told.map(([name, one]) => [name, schemaOfValue(one, depth + 1)])),
    }
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' }
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
