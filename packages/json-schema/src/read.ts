// Reads a JSON Schema of a caller. Rejects everything that could make validation slow or endless.
import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'
import { compileEach, type Patterns } from './patterns.ts'
import { readOnce } from './read-once.ts'

/** A schema with the data needed for validation. */
export interface ReadSchema {
  readonly root: JsonSchema
  readonly patterns: ReadonlyMap<string, Patterns>
}

/** A problem of a schema. `problem` is a sentence without its subject. */
export interface SchemaFault {
  readonly problem: string
}

const maxBytes = 200_000
const deepest = 60
const maxParts = 5_000
const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const inner: ReadonlyMap<string, 'one' | 'list' | 'named'> = new Map([
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'].map(
    (word) => [word, 'one'] as const,
  ),
  ...['prefixItems', 'anyOf', 'oneOf', 'allOf'].map((word) => [word, 'list'] as const),
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'].map(
    (word) => [word, 'named'] as const,
  ),
])

/** Returns whether a schema is invalid; the value then has the `problem`. */
export function isSchemaFault(value: ReadSchema | SchemaFault): value is SchemaFault {
  return 'problem' in value
}

/** Returns whether the value is an array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** Compiles a JSON Schema, or returns its first problem. The result for a frozen schema is cached. */
export const readJsonSchema: (schema: JsonSchema) => ReadSchema | SchemaFault = readOnce(read)

function read(schema: JsonSchema): ReadSchema | SchemaFault {
  const size = sizeOf(schema)
  if (size === undefined) return { problem: `has parts more than ${deepest} levels deep` }
  if (size > maxBytes) return { problem: `is larger than ${maxBytes} characters` }
  const sources = new Set<string>()
  const fault = walk(schema, sources)
  if (fault !== undefined) return { problem: fault }
  const patterns = compileEach([...sources])
  return 'problem' in patterns ? { problem: patterns.problem } : { root: schema, patterns }
}

function sizeOf(schema: JsonSchema): number | undefined {
  try {
    return JSON.stringify(schema).length
  } catch {
    // Nested too deeply for `JSON.stringify`.
    return undefined
  }
}

/** Returns the sentence about the first invalid part, and collects patterns. */
function walk(root: JsonSchema, sources: Set<string>): string | undefined {
  const waiting: { readonly part: unknown; readonly at: string; readonly depth: number }[] = [
    { part: root, at: '', depth: 0 },
  ]
  for (let count = 0; waiting.length > 0; count += 1) {
    const { part, at, depth } = waiting.pop()!
    if (depth > deepest) return `has parts more than ${deepest} levels deep`
    if (count > maxParts) return `has more than ${maxParts} parts`
    if (typeof part === 'boolean') continue
    if (!isRecord(part)) return `must have a schema ${place(at)}: an object, true or false`
    // Cast: the parts of a JSON schema are JSON.
    const fault = checkWords(part as JsonSchema, root, sources)
    if (fault !== undefined) return `${fault} ${place(at)}`
    for (const [word, value] of Object.entries(part)) {
      const kind = inner.get(word)
      if (kind === undefined || value === undefined) continue
      const isTuple = word === 'items' && isList(value)
      const parts = kind === 'one' && !isTuple ? { '': value } : value
      if (kind === 'list' || isTuple ? !isList(parts) : !isRecord(parts))
        return `has ${word} of the wrong kind ${place(at)}`
      for (const [name, child] of Object.entries(parts as object))
        waiting.push({ part: child, at: `${at}/${word}${name && `/${name}`}`, depth: depth + 1 })
    }
  }
  return undefined
}

function checkWords(part: JsonSchema, root: JsonSchema, sources: Set<string>): string | undefined {
  const { type, enum: choices, required, pattern, patternProperties, $ref } = part
  if (type !== undefined && !(isList(type) ? type : [type]).every((one) => types.has(one)))
    return `has the type ${JSON.stringify(type)}, which JSON Schema does not know,`
  if (choices !== undefined && !isList(choices)) return 'has an enum that is no list'
  if (required !== undefined && !(isList(required) && required.every((name) => typeof name === 'string')))
    return 'has a required that is no list of names'
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') return 'has a pattern that is no text'
    sources.add(pattern)
  }
  if (isRecord(patternProperties)) for (const source of Object.keys(patternProperties)) sources.add(source)
  if ($ref !== undefined && (typeof $ref !== 'string' || resolveRef(root, $ref) === undefined))
    return `refers to ${JSON.stringify($ref)}, which is nowhere in it,`
  return undefined
}

function place(at: string): string {
  return at === '' ? 'at its root' : `at ${at}`
}

/**
 * Returns the part of a schema that a reference such as `#/$defs/name` points to; `undefined` if there is none, and for a
 * reference to an anchor or to another document.
 */
export function resolveRef(root: JsonSchema, ref: string): Json | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let part: Json | undefined = root
  for (const name of ref.split('/').slice(1)) {
    const key = decode(name)
    if (isList(part)) part = part[Number(key)]
    else part = isRecord(part) && Object.hasOwn(part, key) ? part[key] : undefined
  }
  return part
}

function decode(name: string): string {
  const plain = name.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
