// Shortens JSON Schemas for models: tokens that a schema takes are not available for page content.

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Keywords for people and clients, and limits. The server checks the limits and names them in its errors. */
const omitted: ReadonlySet<string> = new Set([
  ...[
    '$schema',
    '$id',
    'title',
    'order',
    'group',
    'defaultText',
    'needs',
    'whenFalse',
    'unit',
    'contentMediaType',
    'forModels',
    'propertyNames',
  ],
  ...['format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
])

/** The property that contains the less common options of a job. */
export const rareOptions = 'options'

/**
 * Shortens the schema of a job request. Its less common options become one object, described in its text. Deprecated
 * options, and those with `forModels: false`, are omitted.
 */
export function slimRequest(schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  const required = (schema['required'] ?? []) as readonly string[]
  const known = properties.filter(([, { deprecated, forModels }]) => deprecated !== true && forModels !== false)
  const canGroup = !known.some(([name]) => name === rareOptions)
  const isRare = ([name, option]: readonly [string, JsonSchema]): boolean =>
    canGroup && !required.includes(name) && isUncommon(option)
  const rare = known.filter(isRare)
  const common = known.filter((option) => !isRare(option))
  const { $defs: _, ...rest } = schema
  const options = rare.length > 0 ? { [rareOptions]: describeRare(rare) } : {}
  return slimSchema({ ...rest, type: 'object', properties: { ...Object.fromEntries(common), ...options } })
}

/**
 * Returns the request with its less common options moved back to where the server expects them. Other requests are returned
 * unchanged.
 */
export function restoreRequest(schema: JsonSchema, request: object): object {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>
  if (rareOptions in properties || !(rareOptions in request)) return request
  const { [rareOptions]: rare, ...common } = request as Readonly<Record<string, unknown>>
  return typeof rare === 'object' && rare !== null ? { ...rare, ...common } : request
}

/**
 * Returns whether an option is uncommon: it is in a group, so that all jobs share it; it references another schema, so that it
 * is long; or it is a flag, so that it has a default.
 */
function isUncommon(option: JsonSchema): boolean {
  return 'group' in option || option['type'] === 'boolean' || JSON.stringify(option).includes('"$ref"')
}

function describeRare(options: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  const lines = options.map(([name, option]) => {
    const { description = '', default: usual } = option
    const isShown = typeof usual === 'string' || typeof usual === 'number' || usual === true
    const standard = isShown ? `, default ${usual}` : ''
    return `${name} (${typeOf(option)}${standard}): ${firstSentence(String(description))}`
  })
  return { type: 'object', description: `Less common options. ${lines.join(' ')}` }
}

function typeOf({ type, anyOf, unit }: JsonSchema): string {
  const types = Array.isArray(anyOf)
    ? anyOf.map((each: JsonSchema) => ('$ref' in each ? 'object' : typeOf(each))).join(' or ')
    : typeof type === 'string'
      ? type
      : 'object'
  return typeof unit === 'string' ? `${types}, ${unit}` : types
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

/**
 * Returns the schema without deprecated properties, and without keywords that a model does not need, such as titles and most
 * limits. A `unit` is moved into the description.
 */
export function slimSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (omitted.has(key) || isUnbounded(key, value)) return []
    // The keys of this object are option names, not keywords.
    if (key === 'properties' || key === '$defs') return slimProperties(key, value as JsonSchema)
    return [[key, slimValue(value)]]
  })
  const slim = Object.fromEntries(entries)
  const { unit } = schema
  return typeof unit === 'string' && 'description' in slim
    ? { ...slim, description: withUnit(slim['description'], unit) }
    : slim
}

function withUnit(description: unknown, unit: string): string {
  return `${String(description).replace(/\.$/, '')} (${unit}).`
}

/** Deprecated options are accepted but not described. */
function slimProperties(key: string, schemas: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  // Cast: each value is a schema.
  const known = Object.entries(schemas as Readonly<Record<string, JsonSchema>>).filter(
    ([, { deprecated }]) => deprecated !== true,
  )
  return known.length === 0
    ? []
    : [[key, Object.fromEntries(known.map(([name, schema]) => [name, slimSchema(schema)]))]]
}

function slimValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slimValue)
  return typeof value === 'object' && value !== null ? slimSchema(value as JsonSchema) : value
}

/** Returns whether a keyword is redundant for a model, such as a very high maximum. */
function isUnbounded(key: string, value: unknown): boolean {
  if (key === 'maximum') return Number(value) > 10_000
  if (key === 'minimum') return Number(value) <= 1
  if (key === 'additionalProperties') return true
  return key === 'default' && (value === false || isEmptyArray(value))
}

const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0
