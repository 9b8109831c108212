import type { JobPart, Plugin } from '@harvestman/core/plugin'
import { readFileSync } from 'node:fs'

import { EngineError, isRecord } from '@harvestman/ports'

import { Option, type Command } from './command-line.ts'
import { numberOr } from './numbers.ts'
import { engineErrorOf } from './server-errors.ts'
import { describedFormats, explained, type Asking } from './words.ts'

/** Flags about loading pages that several commands share. */
export interface PageFlags {
  readonly format?: readonly string[]
  readonly formatOption?: readonly string[]
  readonly fullPage?: boolean
  readonly header?: readonly string[]
  readonly timeout?: string
  readonly insecure?: boolean
  readonly wait?: string
  readonly mobile?: boolean
  readonly maxAge?: string
  readonly country?: string
  readonly proxy?: string
  readonly actions?: string
  readonly schema?: string
  readonly prompt?: string
  readonly options?: string
}

/** Parser for repeatable options: appends each value to the list. */
export function more(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Returns the flags for formats. Help lists all formats and their options, including plugin formats. */
export function formatFlags(plugins: readonly Plugin[]): readonly Option[] {
  const names = new Option('-f, --format <names>', 'the formats of the document, separated by commas')
  const about = 'set an option of a format, and add the format; the value is text or JSON; repeatable'
  const options = new Option('--format-option <format.option=value>', about)
  Object.defineProperty(names, 'argChoices', { get: () => describedFormats(plugins).names })
  Object.defineProperty(options, 'argChoices', {
    get: () => describedFormats(plugins).options.map((option) => `${option}=`),
  })
  return [names.argParser(more), options.argParser(more)]
}

/** Adds the page flags to a command, with descriptions from the schemas. Returns the command. */
export function addPageOptions(
  command: Command,
  request: Exclude<Asking, JobPart> = 'scrape',
  plugins: readonly Plugin[] = [],
): Command {
  for (const option of formatFlags(plugins)) command.addOption(option)
  return command
    .option('--full-page', 'keep menus, headers and footers')
    .addOption(explained('--wait <ms>', 'scrape', 'waitFor'))
    .addOption(explained('--mobile', 'scrape', 'mobile'))
    .option('--actions <file>', 'a JSON file with a list of actions on the page, such as clicks')
    .option('--schema <file>', 'a JSON Schema; adds the format json, with data in that shape')
    .option('--prompt <text>', 'what to extract, in plain language; adds the format json')
    .addOption(explained('--max-age <ms>', 'scrape', 'maxAge'))
    .option('-H, --header <line>', 'send this header: "Name: value"; repeatable', more)
    .option('--country <code>', 'the country to request pages from: US, DE…')
    .addOption(explained('--proxy <tier>', 'scrape', 'proxy'))
    .addOption(explained('--timeout <ms>', 'scrape', 'timeout'))
    .addOption(explained('--insecure', 'scrape', 'skipTlsVerification'))
    .option('--options <json>', `any other options of a ${request} request, as JSON`)
}

/**
 * Returns the engine's page options that the flags set, except those in `--options`, which `parseOptions` reads. Absent flags
 * set nothing, except `formats`. Throws `invalid_request`
 * for a header or format option that is malformed, and if a file that a flag names cannot be read or is not JSON.
 */
export function pageOptions(flags: PageFlags) {
  const { fullPage, header, timeout, insecure, wait, mobile, maxAge, country, proxy, actions } = flags
  return {
    formats: formatsOf(flags),
    ...(fullPage && { onlyMainContent: false }),
    ...(wait !== undefined && { waitFor: numberOr(wait) }),
    ...(mobile && { mobile }),
    ...(actions !== undefined && { actions: readJson('--actions', actions) }),
    ...(maxAge !== undefined && { maxAge: numberOr(maxAge) }),
    ...(header && { headers: Object.fromEntries(header.map(toHeader)) }),
    ...(country !== undefined && { location: { country } }),
    ...(proxy !== undefined && { proxy }),
    ...(timeout !== undefined && { timeout: numberOr(timeout) }),
    ...(insecure && { skipTlsVerification: true }),
  }
}

type FormatEntry = string | { readonly type: string }

/**
 * Returns the formats that flags request, with their options. Markdown if none is given. Throws `invalid_request` if
 * `--format-option` is malformed or the schema cannot be read.
 */
export function formatsOf({ format, formatOption = [], schema, prompt }: PageFlags): readonly FormatEntry[] {
  const options = new Map<string, Record<string, unknown>>()
  for (const text of formatOption) {
    const [, type = '', option = '', value = ''] = /^([^.=]+)\.([^=]+)=([^]*)$/.exec(text) ?? []
    if (type === '') throw new EngineError('invalid_request', wrongFormatOption(text))
    options.set(type, { ...options.get(type), [option]: valueIn(value) })
  }
  if (schema !== undefined) options.set('json', { ...options.get('json'), schema: readJson('--schema', schema) })
  if (prompt !== undefined) options.set('json', { ...options.get('json'), prompt })
  const named = (format ?? (options.size > 0 ? [] : ['markdown']))
    .flatMap((names) => names.split(','))
    .map((name) => name.trim())
  const plain = named.filter((name) => !options.has(name))
  return [...plain, ...[...options].map(([type, given]) => ({ type, ...given }))]
}

/** Parses JSON; everything else is a string. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function wrongFormatOption(text: string): string {
  return `--format-option ${JSON.stringify(text)} is not "format.option=value", as in screenshot.fullPage=true.`
}

/** Flags whose name differs from the option that they set. */
const flagNames: Readonly<Record<string, string>> = {
  waitFor: '--wait',
  maxAge: '--max-age',
  headers: '--header',
  country: '--country',
  includeTags: '--include',
  excludeTags: '--exclude',
  includePaths: '--include-paths',
  excludePaths: '--exclude-paths',
  maxDiscoveryDepth: '--depth',
  maxConcurrency: '--concurrency',
}

/** Returns the message of a problem, with the flag that sets the option. */
function withFlag({ path, message }: Problem): string {
  const name = path.findLast((part) => typeof part === 'string')
  const flag = name !== undefined && Object.hasOwn(flagNames, name) ? flagNames[name] : undefined
  return flag === undefined ? message : message.replace(/^[^\s:]+/, (field) => `${field} (${flag})`)
}

/**
 * Returns the error about an option of the request with the flag that sets it, and for the option of a format with the name of the
 * format. Other errors are returned unchanged.
 */
export function explainFormats(error: unknown, request: object): unknown {
  const failure = engineErrorOf(error)
  const { formats, scrapeOptions } = request as { readonly formats?: unknown; readonly scrapeOptions?: PageRequest }
  const requested = scrapeOptions?.formats ?? formats
  const problems = failure?.details['problems']
  if (!failure || !Array.isArray(problems) || !problems.every(isProblem)) return error
  const named = problems.slice(0, 3).map(withFlag).join(' ') || failure.message
  const explained = new EngineError(failure.code, named, { cause: error, details: failure.details })
  if (!Array.isArray(requested)) return explained
  const found = problems.flatMap((problem: Problem) => wrongOption(problem, requested))
  const [first] = found
  if (!first) return explained
  const step = `Set it with --format-option ${first.format}.${first.option}=<value>`
  const message = found.map(({ sentence }) => sentence).join(' ')
  return new EngineError(failure.code, message, { cause: error, details: { ...failure.details, step } })
}

interface PageRequest {
  readonly formats?: unknown
}

interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** A server of another kind may send problems of another form. */
function isProblem(value: unknown): value is Problem {
  const { path, message } = (value ?? {}) as Readonly<Record<string, unknown>>
  return Array.isArray(path) && typeof message === 'string'
}

function wrongOption({ path, message }: Problem, requested: readonly FormatEntry[]) {
  const place = path.indexOf('formats')
  const entry = requested[Number(path[place + 1])]
  if (place === -1 || entry === undefined) return []
  const format = typeof entry === 'string' ? entry : entry.type
  const name = path.slice(place + 2).join('.')
  const text = message.slice(message.indexOf(' ') + 1).replace(/; write it as an object, .*/, '.')
  const [, missing] = /^needs (\w+)/.exec(text) ?? []
  const isUnknown = text.startsWith('is not a known key')
  const [, similar] = isUnknown ? (/did you mean (\w+)\?/.exec(text) ?? []) : []
  if (name === '' && missing === undefined) return []
  const unknown = isUnknown ? '<option>' : name
  return [
    {
      format,
      option: similar ?? missing ?? unknown,
      sentence: `The format ${format}${name === '' ? '' : `: ${name}`} ${text}`,
    },
  ]
}

function toHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1)
    throw new EngineError('invalid_request', `--header ${JSON.stringify(line)} has no name. Write it as "Name: value".`)
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

/**
 * Reads the JSON file that a flag names. `flag` is part of the messages. Throws `invalid_request` if the file cannot be read or
 * parsed.
 */
export function readJson(flag: string, file: string): unknown {
  return parseJson(flag, file, readText(flag, file))
}

/** Like `readJson`, but returns the content of a file that does not start with a list or an object as a string. */
export function readJsonOrText(flag: string, file: string): unknown {
  const text = readText(flag, file)
  return /^\s*[[{]/.test(text) ? parseJson(flag, file, text) : text
}

const readText = (flag: string, file: string): string => Buffer.from(readBytes(flag, file)).toString()

/** Reads a file that a flag or an argument names. Throws `invalid_request` if it cannot be read. */
export function readBytes(flag: string, file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new EngineError('invalid_request', `${flag} ${file} cannot be read. Check its path.`, { cause })
  }
}

function parseJson(flag: string, file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new EngineError('invalid_request', `${flag} ${file} is not JSON. Check its commas and quotes.`, { cause })
  }
}

/**
 * Parses `--options`: a JSON object of options without a flag of their own. Returns an empty object without it, and throws
 * `invalid_request` if it is anything else.
 */
export function parseOptions(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {}
  try {
    const options: unknown = JSON.parse(text)
    if (isRecord(options) && !Array.isArray(options)) return options
  } catch (cause) {
    throw new EngineError('invalid_request', '--options is not JSON. Quote it for your shell.', { cause })
  }
  throw new EngineError('invalid_request', '--options must be a JSON object, such as {"mobile": true}.')
}
