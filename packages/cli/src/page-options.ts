import type { JobPart } from '@harvestman/core/plugin'
import { readFileSync } from 'node:fs'

import { EngineError } from '@harvestman/ports'

import { Option, type Command } from './command-line.ts'
import { choicesOf, explained, type Asking } from './words.ts'
import { numberOr } from './numbers.ts'

/** What the command line can say of how pages are loaded, whatever the command. */
export interface PageFlags {
  readonly format?: readonly string[]
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

/** For options that repeatable: each adds to the list. */
export function more(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function formatOption(): Option {
  const option = new Option('-f, --format <names>', 'the formats of the document, separated by commas').argParser(more)
  return Object.defineProperty(option, 'argChoices', { get: () => choicesOf('scrape', 'formats') })
}

/** Adds the flags to a command, each explained in the words of the request that it is a part of. */
export function addPageOptions(command: Command, request: Exclude<Asking, JobPart> = 'scrape'): Command {
  return command
    .addOption(formatOption())
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

/** The options of a page in the words of the engine. */
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

function formatsOf({ format, schema, prompt }: PageFlags): readonly (string | object)[] {
  const json = {
    type: 'json',
    ...(schema !== undefined && { schema: readJson('--schema', schema) }),
    ...(prompt !== undefined && { prompt }),
  }
  const wantsJson = schema !== undefined || prompt !== undefined
  const named = (format ?? (wantsJson ? [] : ['markdown']))
    .flatMap((names) => names.split(','))
    .map((name) => name.trim())
  return wantsJson ? [...named.filter((name) => name !== 'json'), json] : named
}

function toHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new EngineError('invalid_request', `--header ${JSON.stringify(line)} is not "Name: value".`)
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

/** What a file that a flag names holds. */
export function readJson(flag: string, file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `${flag} ${file} cannot be read. Check its path.`, { cause })
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new EngineError('invalid_request', `${flag} ${file} is not JSON. Check its commas and quotes.`, { cause })
  }
}

/** What `--options` says: whatever has no flag of its own. */
export function parseOptions(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {}
  try {
    const options: unknown = JSON.parse(text)
    if (typeof options === 'object' && options !== null) return options as Record<string, unknown>
  } catch (cause) {
    throw new EngineError('invalid_request', '--options is not JSON. Quote it for your shell.', { cause })
  }
  throw new EngineError('invalid_request', '--options must be a JSON object.')
}
