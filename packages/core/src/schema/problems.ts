import type { z } from 'zod'

import { EngineError } from '@harvestman/ports'
import { suggestChoice } from '@harvestman/toolbox/choices'
import { findTooLarge } from './sizes.ts'
import { requiredKeys, similarKey } from './spelling.ts'

/** A validation problem, as clients of the API receive it in `details`. */
export interface Problem {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Maximum number of reported problems. Any others show up once these are fixed. */
export const maxProblems = 20

/**
 * Validates an input. Returns the parsed value, or throws `invalid_request` with messages that name each field and the remedy.
 */
export function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const large = findTooLarge(schema, input)
  if (large) throw refusal([problem('too_big', large.path, limit(large.origin, 'at most', large.maximum))])
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const problems: Problem[] = []
  for (const one of explainAll(result.error.issues, { schema, input })) {
    problems.push(one)
    if (problems.length === maxProblems) break
  }
  throw refusal(problems)
}

/** Creates the error `invalid_request` for problems that a schema cannot find. Pass at most `maxProblems`. */
export function invalidRequest(
  problems: readonly { readonly path: Problem['path']; readonly text: string }[],
): EngineError {
  return refusal(problems.map(({ path, text }) => problem('custom', path, text)))
}

/**
 * Returns an error with its problems at the paths that `pathOf` returns for theirs, because the validated input is a part of a
 * larger request. Any other error is returned unchanged.
 */
export function problemsAt(error: unknown, pathOf: (path: Problem['path']) => Problem['path']): unknown {
  if (!EngineError.is(error) || !Array.isArray(error.details['problems'])) return error
  const problems = error.details['problems'] as readonly Problem[]
  return refusal(
    problems.map(({ code, path, message }) => {
      const [before, after] = [fieldOf(path) || 'The request', pathOf(path)]
      const isAbout = message.startsWith(before)
      return { code, path: after, message: isAbout ? fieldOf(after) + message.slice(before.length) : message }
    }),
    error,
  )
}

function refusal(problems: readonly Problem[], cause?: unknown): EngineError {
  const message = problems
    .slice(0, 3)
    .map((one) => one.message)
    .join(' ')
  return new EngineError('invalid_request', message, { details: { problems }, cause })
}

type Issue = z.core.$ZodIssue

/** Validated input, with its schema. */
interface Checked {
  readonly schema: z.ZodType
  readonly input: unknown
}

function* explainAll(issues: readonly Issue[], checked: Checked): Generator<Problem> {
  for (const issue of issues) yield* explain(issue, checked)
}

function* explain(issue: Issue, checked: Checked): Generator<Problem> {
  const { schema, input } = checked
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code === 'invalid_union') yield* explainUnion(issue, path, checked)
  else if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const similar = similarKey(schema, path, key)
      const remedy = similar === undefined ? 'remove it or check its spelling' : `did you mean ${similar}?`
      yield problem(issue.code, [...path, key], `is not a known key; ${remedy}`)
    }
  } else {
    const text = sentence(issue, valueAt(input, path), () => requiredKeys(schema, path))
    yield isOfPublicApi(issue) ? publicProblem(path, text) : problem(issue.code, path, text)
  }
}

function isOfPublicApi(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.['isOfPublicApi'] === true
}

/**
 * Returns a problem with a message of the public API. Clients compare the message, so it ends without a period, and a whole
 * sentence has no field before it.
 */
function publicProblem(path: Problem['path'], text: string): Problem {
  const { message } = problem('custom', isWholeSentence(text) ? [] : path, text)
  return { ...problem('custom', path, text), message: message.replace(/\.$/, '') }
}

/** Explains the problem of the union branch that matched deepest, which is most likely the intended one. */
function* explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: (string | number)[],
  checked: Checked,
): Generator<Problem> {
  const value = valueAt(checked.input, path)
  if ('options' in issue && Array.isArray(issue.options)) {
    yield problem(issue.code, path, unknownChoice(value, issue.options))
    return
  }
  const branches = issue.errors.map((issues) => issues.map((inner) => ({ ...inner, path: [...path, ...inner.path] })))
  const deepest = branches
    .filter((issues) => issues.some((inner) => inner.path.length > path.length || isAboutWords(inner, value)))
    .sort((a, b) => depth(b) - depth(a))[0]
  if (deepest) yield* explainAll(deepest, checked)
  else yield problem(issue.code, path, `is ${show(value)}, which has none of the allowed forms`)
}

function depth(issues: readonly { readonly path: readonly unknown[] }[]): number {
  return Math.max(...issues.map((issue) => issue.path.length))
}

function isAboutWords(issue: { readonly code?: string }, value: unknown): boolean {
  return issue.code === 'invalid_value' && typeof value === 'string'
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function sentence(issue: Issue, value: unknown, keysOfObject: () => readonly string[]): string {
  switch (issue.code) {
    case 'invalid_type': {
      const keys = issue.expected === 'object' && value !== undefined ? keysOfObject() : []
      const wanted = `${typeNames[issue.expected] ?? issue.expected}${keys.length > 0 ? ` with ${listed(keys)}` : ''}`
      return value === undefined ? `is required (${wanted})` : `must be ${wanted}, but is ${show(value)}`
    }
    case 'invalid_value':
      return unknownChoice(value, issue.values)
    case 'too_small':
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum), value)
    case 'too_big':
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum), value)
    case 'invalid_format':
      return notIn(issue, value)
    case 'custom':
      return issue.message
    default:
      return `is ${show(value)}, which is not valid (${issue.code.replaceAll('_', ' ')})`
  }
}

/** Joins names as in a sentence: all of up to five, otherwise the first three and the number of the others. */
function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 3), `${names.length - 3} more`] : names
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

function unknownChoice(value: unknown, choices: readonly unknown[]): string {
  return `${value === undefined ? 'is required' : `is ${show(value)}`}; ${suggestChoice(value, choices)}`
}

/** Names of string formats. */
const formatNames: Readonly<Record<string, string>> = {
  datetime: 'a date and time in ISO 8601, such as 2026-01-31T12:00:00Z',
  date: 'a date in ISO 8601, such as 2026-01-31',
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  guid: 'a UUID',
}

function notIn({ format, message, ...issue }: Extract<Issue, { code: 'invalid_format' }>, value: unknown): string {
  // Zod's own messages begin with "Invalid". A schema may have a better one.
  if (!message.startsWith('Invalid')) return message
  if (format === 'regex') return `must match ${clip(String(issue.pattern), 100)}, but is ${show(value)}`
  const name = formatNames[format] ?? `a valid ${format.replaceAll('_', ' ')}`
  return `must be ${name}, but is ${show(value)}`
}

const units: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  record: ['key', 'keys'],
}

function limit(origin: string, bound: string, edge: number, value?: unknown): string {
  const [one, several] = units[origin] ?? []
  if (one === undefined || several === undefined) return `must be ${bound} ${edge}, but is ${show(value)}`
  if (bound === 'at least' && edge === 1) return 'must not be empty'
  return `must have ${bound} ${edge} ${edge === 1 ? one : several}`
}

const maxMessageLength = 500

function problem(code: string, at: readonly (string | number)[], text: string): Problem {
  const path = at.map((part) => (typeof part === 'string' ? clip(part, 60) : part))
  const field = fieldOf(path)
  const message = `${begin(field, isWholeSentence(text))}${text}.`
  return { code, path, message: clip(message.replace(/([.?])\.$/, '$1'), maxMessageLength) }
}

/** Returns the name of a field in a message, such as `formats[0].type`; an empty string for the whole request. */
export function fieldOf(path: Problem['path']): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    return name === '' ? part : `${name}.${part}`
  }, '')
}

/** Returns whether a message starts with its own subject. */
const isWholeSentence = (text: string): boolean => /^[A-Z]/.test(text)

/** Returns the start of a message: its subject, or the name of the field as a label before a whole sentence. */
function begin(field: string, isSentence: boolean): string {
  if (isSentence) return field === '' ? '' : `${field}: `
  return field === '' ? 'The request ' : `${field} `
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), input)
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'bigint') return clip(`${value}n`, 58)
  return clip(JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value) ?? 'nothing', 58)
}

function clip(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
