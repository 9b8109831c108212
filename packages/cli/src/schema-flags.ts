// Command-line flags built from the JSON Schema of an option.
import type { DescribedSchema } from '@harvestman/core/schema'

import { EngineError } from '@harvestman/ports'

import type { Option } from './command-line.ts'
import { numberOr } from './numbers.ts'
import { readJson, readJsonOrText } from './page-options.ts'
import { printable } from './printable.ts'

/** Value of a flag as commander returns it. */
export type Given = string | boolean | string[] | undefined

/** A flag and the option that it sets. */
export interface Flag {
  readonly name: string
  readonly field: DescribedSchema
  readonly option: Option
}

/** Returns the flag of an option with the placeholder of its value. */
export function flagFor(name: string, field: DescribedSchema, flag = flagNamed(name, field)): string {
  return `${flag}${placeholderOf(field)}`
}

function flagNamed(name: string, field: DescribedSchema): string {
  return `--${field.default === true ? 'no-' : ''}${kebab(name)}`
}

function placeholderOf({ type, items }: DescribedSchema): string {
  if (type === 'boolean') return ''
  if (type === 'integer' || type === 'number') return ' <n>'
  if (type === 'string') return ' <text>'
  return type === 'array' && items?.type === 'string' ? ' <words...>' : ' <file>'
}

/** Returns a camel case name in kebab case: `maxAge` becomes `max-age`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Returns the option that a flag sets, as at most one entry. A boolean flag sets the opposite of the default. Empty if the flag
 * was not given. Throws `invalid_request` if a pair or a JSON file cannot be read.
 */
export function valueOf(
  { name, field: { type, items, default: usual }, option }: Flag,
  value: Given,
): [string, unknown][] {
  if (value === undefined) return []
  if (option.negate) return value === false ? [[name, false]] : []
  if (type === 'boolean') return [[name, usual !== true]]
  if (type === 'integer' || type === 'number') return [[name, numberOr(String(value))]]
  if (type === 'object' && Array.isArray(value))
    return [[name, Object.fromEntries(value.map((pair) => pairIn(pair, option.long ?? name)))]]
  const isList = type === 'array' && items?.type === 'string'
  if (isList && typeof value === 'string') return [[name, value.split(',').map((one) => one.trim())]]
  const isPlain = isList || type === 'string'
  return [[name, isPlain ? value : readJson(option.long ?? name, String(value))]]
}

/** Parses a pair such as `city=Oslo`. */
function pairIn(text: string, flag: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new EngineError('invalid_request', `${flag} must be name=value, but is ${printable(text).slice(0, 100)}.`)
}

/**
 * Returns the value of an argument: a string, a list of strings, or the content of the JSON file with this name. If the schema
 * also allows a string, the content of another file is returned as one. Throws `invalid_request` if a file cannot be read or parsed.
 */
export function argumentOf(name: string, { type, anyOf }: DescribedSchema = {}, given: unknown): unknown {
  if (type === 'string' || Array.isArray(given)) return given
  const isText = anyOf?.some((one) => one.type === 'string') === true
  return isText ? readJsonOrText(name, String(given)) : readJson(name, String(given))
}
