import { createRequire } from 'node:module'

import type * as core from '@harvestman/core'
import type * as plugins from '@harvestman/core/plugin'
import type { JobPart, Plugin } from '@harvestman/core/plugin'
import type * as schemas from '@harvestman/core/schema'
import type * as data from '@harvestman/data'
import type { DescribedSchema } from '@harvestman/core/schema'

import { Option } from './command-line.ts'

// The engine is only loaded when help is printed. `require` is used because commander reads descriptions synchronously.
const require = createRequire(import.meta.url)
const engines = () => require('@harvestman/core') as typeof core
const datasets = () => require('@harvestman/data') as typeof data
const defining = () => require('@harvestman/core/plugin') as typeof plugins
const describing = () => require('@harvestman/core/schema') as typeof schemas

/** A request type: an engine method, or a kind of job. */
export type Asking = 'scrape' | 'crawl' | 'batch' | 'map' | 'search' | JobPart

const described = new Map<Asking, DescribedSchema>()

/** Returns the described schema of a request: of the engine by name, or of a job kind. */
export function describedRequest(request: Asking): DescribedSchema {
  const known = described.get(request)
  if (known) return known
  const { describeSchema } = describing()
  const requestSchema = typeof request === 'string' ? engines().createEngine().schemas[request] : request.request
  const schema = describeSchema(requestSchema)
  described.set(request, schema)
  return schema
}

/**
 * Returns the schema of a request option. A path such as `jsonOptions.schema` names a nested option. Returns
 * `undefined` if there is no such option.
 */
export function fieldOf(request: Asking, path: string): DescribedSchema | undefined {
  const { properties, $defs = {} } = describedRequest(request)
  const named = (field: DescribedSchema | undefined): DescribedSchema | undefined =>
    field && { ...$defs[field.$ref?.split('/').at(-1) ?? ''], ...field }
  const [first = '', ...rest] = path.split('.')
  return rest.reduce((field, name) => named(field?.properties?.[name]), named(properties?.[first]))
}

/**
 * Returns the help text of an option from its schema, which the reference and the web page show as well. Throws an `Error` if
 * there is no such option.
 */
export function words(request: Asking, option: string): string {
  const field = fieldOf(request, option)
  if (!field) throw new Error(`${option} is not an option of ${typeof request === 'string' ? request : request.kind}.`)
  const { needs, unit, default: value } = field
  const amount = typeof value === 'number' ? `${value}${unit === undefined ? '' : ` ${unit}`}` : undefined
  const fallback = amount ?? (typeof value === 'string' ? value : undefined)
  return [
    aboutFlag(field),
    ...(needs === undefined ? [] : [`Needs ${needs}.`]),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
  ].join(' ')
}

/**
 * Returns the help text of a flag; empty if its option has no description. For a flag that turns an option off, it
 * tells what that does.
 */
export function aboutFlag({ type, description = '', default: usual, whenFalse }: DescribedSchema): string {
  const isOff = type === 'boolean' && usual === true
  const about = !isOff ? description : (whenFalse ?? `Turns this off: ${description}`)
  return about.replaceAll('`', '')
}

/**
 * Returns the values that an option accepts, if it is an enum. Otherwise, and for an unknown option, returns
 * `undefined`.
 */
export function choicesOf(request: Asking, option: string): readonly string[] | undefined {
  const field = fieldOf(request, option)
  const all = field?.enum ?? field?.items?.anyOf?.flatMap((part) => part.enum ?? [])
  const named = all?.filter((one) => typeof one === 'string')
  return named && named.length > 0 ? named : undefined
}

interface DescribedFormats {
  readonly names: readonly string[]
  /** Option names with their format: `screenshot.fullPage`. */
  readonly options: readonly string[]
}

const formatsBy = new WeakMap<readonly Plugin[], DescribedFormats>()

/** Returns the formats that commands have with these plugins, and the options of formats. */
export function describedFormats(plugins: readonly Plugin[]): DescribedFormats {
  const known = formatsBy.get(plugins) ?? describeFormats(plugins)
  formatsBy.set(plugins, known)
  return known
}

function describeFormats(given: readonly Plugin[]): DescribedFormats {
  const { definePlugin } = defining()
  const plugins = [datasets().data(), ...given].map(({ name, formats }) => definePlugin({ name, formats }))
  const { properties, $defs = {} } = describing().describeSchema(engines().createEngine({ plugins }).schemas.scrape)
  const entries = properties?.['formats']?.items?.anyOf ?? []
  const objects = entries
    .flatMap(({ oneOf = [] }) => oneOf)
    .map((one) => $defs[one.$ref?.split('/').at(-1) ?? ''] ?? one)
  return {
    names: entries.flatMap((entry) => entry.enum ?? []).map(String),
    options: objects.flatMap(({ properties: { type, ...options } = {} }) =>
      Object.entries(options).flatMap(([option, { deprecated = false }]) =>
        deprecated ? [] : [`${String(type?.const)}.${option}`],
      ),
    ),
  }
}

/**
 * Returns a command-line option with the description in a request's schema, which is read when help is printed.
 * Printing the help throws if there is no such option.
 */
export function explained(flags: string, request: Asking, option: string): Option {
  return Object.defineProperties(new Option(flags), {
    description: { get: () => words(request, option) },
    argChoices: { get: () => choicesOf(request, option) },
  })
}
