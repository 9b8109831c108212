// Structured output and tool calls for models that support neither: both are described in the prompt.
import type { Json, JsonSchema, Tool } from '@harvestman/ports'

/** A schema for endpoints that only accept an object at the root. */
export interface Wrapped {
  readonly schema: JsonSchema
  /** Whether the output is the property `value` of an object. */
  readonly isWrapped: boolean
}

/** Wraps a schema as the property `value` of an object, unless its root is an object. Many endpoints accept only objects. */
export function wrapSchema(schema: JsonSchema): Wrapped {
  if (schema['type'] === 'object') return { schema, isWrapped: false }
  const value = moved(schema) as JsonSchema
  const wrapped = { type: 'object', properties: { value }, required: ['value'], additionalProperties: false }
  return { schema: wrapped, isWrapped: true }
}

/** Rewrites each `$ref`, a path from the root, because the schema is now at `#/properties/value`. */
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

/**
 * Parses a tool call in the JSON output of a model without tool support: an object with `tool` and `input` only. Returns its
 * `input` as JSON (default `{}`), or `undefined` if it is no tool call.
 */
export function callInWords(value: Json | undefined): { readonly name: string; readonly input: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { tool, input = {}, ...rest } = value as JsonSchema
  if (typeof tool !== 'string' || Object.keys(rest).length > 0) return undefined
  return { name: tool, input: JSON.stringify(input) }
}
