// Validates a value against a JSON Schema. The keyword `format` is only an annotation, as in the standard.
import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'
import { isList, isSchemaFault, readJsonSchema, resolveRef, type ReadSchema } from './read.ts'

/** A violation of a schema: the path of the value and the expectation. */
export interface Misfit {
  /** For example `items[0].price`; empty for the root value. */
  readonly path: string
  /** A sentence without its subject. */
  readonly problem: string
}

interface Checking extends ReadSchema {
  readonly misfits: Misfit[]
  /** Whether it only matters if there is a misfit. Then the check ends at the first, which has no sentence. */
  readonly isTrial: boolean
  /** Remaining work. With `anyOf` it can grow exponentially. */
  readonly left: { steps: number }
}

type Left = Checking['left']

const maxMisfits = 20
const maxSteps = 200_000
const maxHops = 30
const maxShown = 60
/** Characters that are looked through in one step. */
const perStep = 100
/** Names or items, as a number of characters. */
const perPart = 10
/** Characters times instructions of a pattern in one step. */
const patternPerStep = 500

/**
 * Returns the violations of a value, at most 20; none if it fits the schema. An invalid schema, or a value that takes more than
 * 200,000 steps to check, counts as one violation. `format`, `propertyNames`, and keywords with `dependent` or `unevaluated`
 * are not checked.
 */
export function findMisfits(value: Json, schema: JsonSchema | ReadSchema): readonly Misfit[] {
  const read = isRead(schema) ? schema : readJsonSchema(schema)
  if (isSchemaFault(read)) return [{ path: '', problem: `cannot be checked: the schema ${read.problem}` }]
  const checking: Checking = { ...read, misfits: [], isTrial: false, left: { steps: maxSteps } }
  visit(value, read.root, '', checking)
  if (checking.left.steps <= 0) return [{ path: '', problem: 'is too much to be checked against this schema' }]
  return checking.misfits.slice(0, maxMisfits)
}

/** Formats the violations as one string, for people and for models. Empty without violations. */
export function misfitsMessage(misfits: readonly Misfit[]): string {
  return misfits.map(({ path, problem }) => `${path === '' ? 'The value' : path} ${problem}.`).join(' ')
}

function isRead(schema: JsonSchema | ReadSchema): schema is ReadSchema {
  return schema['patterns'] instanceof Map
}

function visit(value: Json, schema: Json | undefined, path: string, checking: Checking, hops = 0): void {
  checking.left.steps -= 1
  if (isOver(checking)) return
  if (schema === false) return say(path, () => 'must not be there', checking)
  if (!isRecord(schema)) return
  if (typeof schema['$ref'] === 'string') {
    if (hops > maxHops) return say(path, () => 'meets a schema that refers to itself without end', checking)
    spend(schema['$ref'].length, checking.left)
    visit(value, resolveRef(checking.root, schema['$ref']), path, checking, hops + 1)
  }
  if (isList(schema['type'])) spend(perPart * schema['type'].length, checking.left)
  if (!hasType(value, schema)) return say(path, () => `must be ${nameTypes(schema)}, and is ${show(value)}`, checking)
  checkChoices(value, schema, path, checking)
  checkCombinations(value, schema, path, checking, hops)
  if (isOver(checking)) return
  if (typeof value === 'string') checkText(value, schema, path, checking)
  else if (typeof value === 'number') checkNumber(value, schema, path, checking)
  else if (isList(value)) checkList(value, schema, path, checking)
  else if (isRecord(value)) checkObject(value, schema, path, checking)
}

function isOver({ left, misfits, isTrial }: Checking): boolean {
  return left.steps <= 0 || misfits.length >= (isTrial ? 1 : maxMisfits)
}

/** Counts work on a number of characters. */
function spend(amount: number, left: Left): void {
  left.steps -= amount / perStep
}

function say(path: string, problem: () => string, checking: Checking): void {
  if (!isOver(checking)) checking.misfits.push({ path, problem: checking.isTrial ? '' : problem() })
}

function hasType(value: Json, { type, nullable }: JsonSchema): boolean {
  if (type === undefined) return true
  if (value === null && nullable === true) return true
  return (isList(type) ? type : [type]).some((one) => isOf(value, one))
}

function isOf(value: Json, type: Json): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return isList(value)
  if (type === 'object') return isRecord(value)
  if (type === 'null') return value === null
  return typeof value === type
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

function nameTypes({ type }: JsonSchema): string {
  return [type]
    .flat()
    .map((one) => (typeof one === 'string' ? typeNames[one] : undefined))
    .join(' or ')
}

function show(value: Json): string {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, maxShown) : value)
  return text.length > maxShown ? `${text.slice(0, 57)}…` : text
}

function checkChoices(value: Json, schema: JsonSchema, path: string, checking: Checking): void {
  const { enum: choices, const: constant } = schema
  if (isList(choices) && !choices.some((one) => isSame(one, value, checking.left)))
    say(path, () => `must be one of ${show(choices)}, and is ${show(value)}`, checking)
  if (constant !== undefined && !isSame(constant, value, checking.left))
    say(path, () => `must be ${show(constant)}, and is ${show(value)}`, checking)
}

function isSame(one: Json, other: Json, left: Left): boolean {
  spend(typeof one === 'string' ? perPart + one.length / perStep : perPart, left)
  if (one === other) return true
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((part, index) => isSame(part, other[index] as Json, left))
  if (!isRecord(one) || !isRecord(other)) return false
  const names = Object.keys(one)
  spend(perPart * names.length, left)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isSame(one[name] as Json, other[name] as Json, left))
}

function matches(text: string, source: string, { patterns, left }: Checking): boolean {
  const pattern = left.steps > 0 ? patterns.get(source) : undefined
  left.steps -= ((text.length + 1) * (pattern?.instructions ?? 1)) / patternPerStep
  return pattern?.find(text) !== undefined
}

function fits(value: Json, schema: Json, checking: Checking, hops: number): boolean {
  const trial: Checking = { ...checking, misfits: [], isTrial: true }
  visit(value, schema, '', trial, hops + 1)
  return trial.misfits.length === 0
}

function checkCombinations(value: Json, schema: JsonSchema, path: string, checking: Checking, hops: number): void {
  const { allOf, anyOf, oneOf } = schema
  if (hops > maxHops) return say(path, () => 'meets a schema that refers to itself without end', checking)
  if (isList(allOf)) for (const part of allOf) visit(value, part, path, checking, hops + 1)
  if (isList(anyOf) && !anyOf.some((part) => fits(value, part, checking, hops)))
    say(path, () => `fits none of the ${anyOf.length} forms it may have, and is ${show(value)}`, checking)
  if (isList(oneOf)) {
    const { length } = oneOf.filter((part) => fits(value, part, checking, hops))
    if (length !== 1) say(path, () => `must fit one of ${oneOf.length} forms and fits ${length}`, checking)
  }
  if (schema['not'] !== undefined && fits(value, schema['not'], checking, hops))
    say(path, () => 'has a form that it must not have', checking)
  if (schema['if'] === undefined) return
  const branch = schema[fits(value, schema['if'], checking, hops) ? 'then' : 'else']
  if (branch !== undefined) visit(value, branch, path, checking, hops + 1)
}

function checkText(value: string, schema: JsonSchema, path: string, checking: Checking): void {
  const { minLength, maxLength, pattern } = schema
  const hasLimit = typeof minLength === 'number' || typeof maxLength === 'number'
  if (hasLimit) spend(value.length, checking.left)
  const length = hasLimit ? Array.from(value).length : 0
  if (typeof minLength === 'number' && length < minLength)
    say(path, () => `must have at least ${minLength} characters, and has ${length}`, checking)
  if (typeof maxLength === 'number' && length > maxLength)
    say(path, () => `must have at most ${maxLength} characters, and has ${length}`, checking)
  if (typeof pattern === 'string' && !matches(value, pattern, checking))
    say(path, () => `must match ${show(pattern)}, and is ${show(value)}`, checking)
}

function checkNumber(value: number, schema: JsonSchema, path: string, checking: Checking): void {
  const rule = (word: string, isKept: (limit: number) => boolean, says: string): void => {
    const limit = schema[word]
    if (typeof limit === 'number' && !isKept(limit))
      say(path, () => `must be ${says} ${limit}, and is ${value}`, checking)
  }
  rule('minimum', (limit) => value >= limit, 'at least')
  rule('maximum', (limit) => value <= limit, 'at most')
  rule('exclusiveMinimum', (limit) => value > limit, 'more than')
  rule('exclusiveMaximum', (limit) => value < limit, 'less than')
  rule('multipleOf', (step) => Math.abs(value / step - Math.round(value / step)) < 1e-9, 'a multiple of')
}

function checkList(value: readonly Json[], schema: JsonSchema, path: string, checking: Checking): void {
  const { minItems, maxItems, uniqueItems, items, prefixItems, contains } = schema
  if (typeof minItems === 'number' && value.length < minItems)
    say(path, () => `must have at least ${minItems} items, and has ${value.length}`, checking)
  if (typeof maxItems === 'number' && value.length > maxItems)
    say(path, () => `must have at most ${maxItems} items, and has ${value.length}`, checking)
  spend(perPart * value.length, checking.left)
  if (uniqueItems === true && hasTwice(value, checking.left)) say(path, () => 'has an item twice', checking)
  // Older schemas have the list of positional schemas under `items`.
  const places = isList(prefixItems) ? prefixItems : isList(items) ? items : []
  for (const [index, item] of value.entries()) {
    const part = index < places.length ? places[index] : isList(items) ? undefined : items
    if (part !== undefined) visit(item, part, `${path}[${index}]`, checking)
  }
  if (contains !== undefined && !value.some((item) => fits(item, contains, checking, 0)))
    say(path, () => 'has none of the items that it must contain', checking)
}

function hasTwice(value: readonly Json[], left: Left): boolean {
  const items = value.map((one) => JSON.stringify(one))
  spend(
    items.reduce((sum, { length }) => sum + length, 0),
    left,
  )
  return new Set(items).size < items.length
}

function checkObject(value: JsonSchema, schema: JsonSchema, path: string, checking: Checking): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const { properties, patternProperties, additionalProperties, required, minProperties, maxProperties } = schema
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  spend(perPart * (names.length + (isList(required) ? required.length : 0)), checking.left)
  for (const name of isList(required) ? required : [])
    if (typeof name === 'string' && !(Object.hasOwn(value, name) && value[name] !== undefined))
      say(at(name), () => 'is missing', checking)
  if (typeof minProperties === 'number' && names.length < minProperties)
    say(path, () => `must have at least ${minProperties} properties`, checking)
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    say(path, () => `must have at most ${maxProperties} properties`, checking)
  const byPattern = isRecord(patternProperties) ? Object.entries(patternProperties) : []
  for (const name of names) {
    if (isOver(checking)) return
    const part = value[name] as Json
    const known = isRecord(properties) && Object.hasOwn(properties, name)
    if (known) visit(part, properties[name], at(name), checking)
    const matching = byPattern.filter(([source]) => matches(name, source, checking))
    for (const [, one] of matching) visit(part, one, at(name), checking)
    if (known || matching.length > 0 || additionalProperties === undefined) continue
    if (additionalProperties === false) say(at(name), () => 'is a property that the schema does not have', checking)
    else visit(part, additionalProperties, at(name), checking)
  }
}
