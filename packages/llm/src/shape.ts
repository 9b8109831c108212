// Makes a model answer in a schema, even if it supports neither schemas nor tools.
import type { Json, JsonSchema, Tool } from '@harvestman/ports'

/** A schema for endpoints that only accept an object at the root. */
export interface Wrapped {
  readonly schema: JsonSchema
  /** The answer is the property `value` of the object. */
  readonly isWrapped: boolean
}

/** Wraps a schema whose root is not an object as the property `value` of one, because endpoints only accept objects. */
export function wrap(schema: JsonSchema): Wrapped {
  if (schema['type'] === 'object') return { schema, isWrapped: false }
  const value = moved(schema) as JsonSchema
  const wrapped = { type: 'object', properties: { value }, required: ['value'], additionalProperties: false }
  return { schema: wrapped, isWrapped: true }
}

/** Rewrites `$ref`s, which are paths from the root: the schema is now at `#/properties/value`. */
function moved(part: Json | undefined): Json | undefined {
  if (Array.isArray(part)) return (part as readonly Json[]).map((item) => moved(item) ?? null)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string' ? inner.replace(/^#/, '#/properties/value') : moved(inner),
    ]),
  )
}

/** Returns whether each object lists all properties, requires them and allows no others, which hosted models call strict. */
export function isStrict(part: Json | undefined): boolean {
  if (Array.isArray(part)) return (part as readonly Json[]).every(isStrict)
  if (typeof part !== 'object' || part === null) return true
  const { type, properties, required, additionalProperties } = part as JsonSchema
  if (type === 'object') {
    const names = Object.keys((properties as JsonSchema | undefined) ?? {})
    const must = new Set((required as readonly string[] | undefined) ?? [])
    if (additionalProperties !== false || names.some((name) => !must.has(name))) return false
  }
  return Object.values(part).every(isStrict)
}

/** Returns a prompt that describes the schema, for models that do not support schemas. */
export function shapeInWords(schema: JsonSchema): string {
  return `Answer with one JSON value and nothing else: no other words, no code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
}

/**
 * Returns a prompt that describes the tools, for models that do not support tools: a call is a JSON answer of a certain form.
 */
export function toolsInWords(tools: readonly Tool[]): string {
  const list = tools.map(({ name, description, input }) => `- ${name}: ${description} Input: ${JSON.stringify(input)}`)
  return [
    'You may use these tools:',
    ...list,
    'To use one, answer with {"tool": "<its name>", "input": {…}} as JSON and nothing else; you are then given what it brought.',
    'When you need no tool, give your answer.',
  ].join('\n')
}

/** Parses a tool call that a model without tool support wrote as text. Returns `undefined` if it is not one. */
export function callInWords(value: Json | undefined): { readonly name: string; readonly input: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { tool, input = {}, ...rest } = value as JsonSchema
  if (typeof tool !== 'string' || Object.keys(rest).length > 0) return undefined
  return { name: tool, input: JSON.stringify(input) }
}
