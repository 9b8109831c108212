// How a model is brought to answer in a shape, also one that knows neither schemas nor tools.
import type { Json, JsonSchema, Tool } from '@harvestman/ports'

/** Root of a schema for endpoints that only take objects. */
export interface Wrapped {
  readonly schema: JsonSchema
  /** The answer stands under `value`. */
  readonly isWrapped: boolean
}

/** Endpoints take only objects at the root: other values are asked for under the name `value`. */
export function wrap(schema: JsonSchema): Wrapped {
  if (schema['type'] === 'object') return { schema, isWrapped: false }
  const value = moved(schema) as JsonSchema
  const wrapped = { type: 'object', properties: { value }, required: ['value'], additionalProperties: false }
  return { schema: wrapped, isWrapped: true }
}

/** References are paths from the root, which is now one step further away. */
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

/** Whether every object says all of its properties and requires them: what hosted models call strict. */
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

/** Says in words what a model that knows schemas is told otherwise. */
export function shapeInWords(schema: JsonSchema): string {
  return `Answer with one JSON value and nothing else: no other words, no code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
}

/** The same for a model that knows no tools: a call is an answer of its own form. */
export function toolsInWords(tools: readonly Tool[]): string {
  const list = tools.map(({ name, description, input }) => `- ${name}: ${description} Input: ${JSON.stringify(input)}`)
  return [
    'You may use these tools:',
    ...list,
    'To use one, answer with {"tool": "<its name>", "input": {…}} as JSON and nothing else; you are then given what it brought.',
    'When you need no tool, give your answer.',
  ].join('\n')
}

/** A call that a model without tools wrote as text. */
export function callInWords(value: Json | undefined): { readonly name: string; readonly input: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { tool, input = {}, ...rest } = value as JsonSchema
  if (typeof tool !== 'string' || Object.keys(rest).length > 0) return undefined
  return { name: tool, input: JSON.stringify(input) }
}
