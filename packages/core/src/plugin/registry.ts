import type { TextTypes } from '@harvestman/net'
import { EngineError } from '@harvestman/ports'
import type { PageOptionsSchema } from '../schema/page-options.ts'
import { requestDefaults } from '../schema/scrape.ts'
import { endpointGroups, endpointOf } from '../schema/team.ts'
import type { Feature } from './feature.ts'
import type { Field, Format, Keeper } from './field.ts'
import type { Gate } from './gate.ts'
import { buildScrapeOptionsSchema } from './build-schema.ts'
import type { JobPart } from './job.ts'
import type { Action } from './action.ts'
import type { FileType, Loader, Parser, Plugin } from './parts.ts'
import type { Policy } from './policy.ts'

/** All parts of one engine, by name. */
export interface Registry {
  readonly formats: readonly Format[]
  readonly actions: readonly Action[]
  /** Lowest cost first. */
  readonly loaders: readonly Loader[]
  /** Parsers of plugins before built-in ones. The first one that accepts a media type is used. */
  readonly parsers: readonly Parser[]
  /** Types of files without binary data, by their extension or first bytes. */
  readonly textTypes: TextTypes
  readonly keepers: readonly Keeper[]
  readonly policies: readonly Policy[]
  /** Gates in the order of their plugins. */
  readonly gates: readonly Gate[]
  /** Kinds of jobs in the order of their plugins. Their request schemas include this engine's page options. */
  readonly jobs: readonly JobPart[]
  /** Properties of the engine, in the order of their plugins. */
  readonly features: readonly Feature[]
  /** URL schemes that at least one loader accepts, in lower case. */
  readonly schemes: ReadonlySet<string>
  readonly plugins: readonly Plugin[]
  format(type: string): Format | undefined
  /** Returns the field to use for this one: the field of a plugin with the same name, if there is one. */
  bind(field: Field): Field
  /** Returns the name of the plugin that a part belongs to. */
  ownerOf(part: Part): string
}

type Part = Field | Action | Loader | Parser | Feature

/**
 * Merges the built-in parts and the parts of plugins. A part of a plugin replaces the built-in part of the same name, except
 * for parsers. Throws `invalid_request` if two plugins define the same name, or if a parser has the name of any other parser:
 * parsers are tried in order, so none needs to be replaced. Also if the name of a kind of job is malformed or reserved.
 */
export function makeRegistry(builtIn: Plugin, plugins: readonly Plugin[], defaults = requestDefaults): Registry {
  const formats = merge(builtIn, plugins, 'formats', ({ type }) => type)
  const fields = merge(builtIn, plugins, 'fields', ({ name }) => name)
  const actions = merge(builtIn, plugins, 'actions', ({ type }) => type)
  const loaders = merge(builtIn, plugins, 'loaders', ({ name }) => name).toSorted((a, b) => a.cost - b.cost)
  const parsers = merge({ ...builtIn, parsers: [] }, [...plugins, builtIn], 'parsers', ({ name }) => name)
  const keepers = merge(builtIn, plugins, 'keepers', ({ name }) => name)
  const policies = merge(builtIn, plugins, 'policies', ({ name }) => name)
  const gates = merge(builtIn, plugins, 'gates', ({ name }) => name)
  const kinds = merge(builtIn, plugins, 'jobs', ({ kind }) => kind)
  const features = merge(builtIn, plugins, 'features', ({ name }) => name)
  for (const { kind } of kinds) refuseTaken(kind)
  const schemes = new Set(loaders.flatMap((loader) => loader.schemes))
  // Cast: a kind of job cannot know the engine's actions at compile time; this schema checks them.
  const page = () => buildScrapeOptionsSchema({ formats, actions, schemes }, defaults) as PageOptionsSchema
  const byName = new Map<string, Field>([...fields, ...formats].map((field) => [field.name, field]))
  const byType = new Map(formats.map((format) => [format.type, format]))
  const owners = ownersOf([builtIn, ...plugins])
  return {
    formats,
    actions,
    loaders,
    parsers,
    textTypes: textTypesOf(parsers),
    keepers,
    policies,
    gates,
    jobs: kinds.map((part) => (part.requestWith ? { ...part, request: part.requestWith(page()) } : part)),
    features,
    plugins,
    schemes,
    format: (type) => byType.get(type),
    bind: (field) => byName.get(field.name) ?? field,
    ownerOf: (part) => owners.get(part) ?? builtIn.name,
  }
}

function textTypesOf(parsers: readonly Parser[]): TextTypes {
  const files = parsers.flatMap((parser) => (parser.files ?? []).filter(({ isText }) => isText)).toReversed()
  const listed = (keys: (file: FileType) => readonly string[]) =>
    files.flatMap((file) => keys(file).map((key) => [key, file.mimeTypes[0] ?? 'text/plain'] as const))
  return {
    byExtension: new Map(listed(({ extensions }) => extensions)),
    byStart: listed(({ starts = [] }) => starts),
  }
}

function ownersOf(plugins: readonly Plugin[]): ReadonlyMap<Part, string> {
  return new Map(
    plugins.flatMap(({ name, fields, formats, actions, loaders, parsers, keepers, features }) =>
      [...fields, ...formats, ...actions, ...loaders, ...parsers, ...keepers, ...features].map(
        (part): [Part, string] => [part, name],
      ),
    ),
  )
}

type Kind =
  | 'formats'
  | 'fields'
  | 'actions'
  | 'loaders'
  | 'parsers'
  | 'keepers'
  | 'policies'
  | 'gates'
  | 'jobs'
  | 'features'

function merge<K extends Kind>(
  ours: Plugin,
  plugins: readonly Plugin[],
  kind: K,
  nameOf: (part: Plugin[K][number]) => string,
): readonly Plugin[K][number][] {
  const theirs = new Map<string, { readonly part: Plugin[K][number]; readonly plugin: string }>()
  for (const plugin of plugins) {
    for (const part of plugin[kind]) {
      const name = nameOf(part)
      const other = theirs.get(name)
      if (other) throw claimedTwice(name, kind, other.plugin, plugin.name)
      theirs.set(name, { part, plugin: plugin.name })
    }
  }
  return [...[...theirs.values()].map(({ part }) => part), ...ours[kind].filter((part) => !theirs.has(nameOf(part)))]
}

/** Checks the name of a kind, which is used in paths and counters, and must not be the name of a built-in endpoint. */
function refuseTaken(kind: string): void {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(kind))
    throw new EngineError(
      'invalid_request',
      `kind: ${kind} must have 1 to 64 lowercase letters, digits, _ and -, and start with a letter.`,
    )
  if (!(endpointGroups as readonly string[]).includes(endpointOf(kind))) return
  throw new EngineError('invalid_request', `kind: ${kind} is a name of core. Choose another one.`)
}

function claimedTwice(name: string, kind: Kind, one: string, other: string): EngineError {
  const who =
    one === other
      ? `The plugin ${one} defines "${name}" in ${kind} twice.`
      : `The plugins ${one} and ${other} both define "${name}" in ${kind}.`
  return new EngineError('invalid_request', `${who} Give one of them another name, or leave one out.`)
}
