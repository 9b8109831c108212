import { EngineError } from '../errors/error.ts'
import type { Field, Format } from './field.ts'
import type { Action, Loader, Parser, Plugin } from './parts.ts'

/** All parts of one engine, by name. */
export interface Registry {
  readonly formats: readonly Format[]
  readonly actions: readonly Action[]
  /** Cheapest first. */
  readonly loaders: readonly Loader[]
  /** Those of plugins come before ours: the first that accepts a type reads it. */
  readonly parsers: readonly Parser[]
  format(type: string): Format | undefined
  /** The field bound to a name: a plugin's own in place of ours, for everybody who needs it. */
  bind(field: Field): Field
}

/** Merges the built-in parts with those of the plugins. Two plugins that claim one name are refused. */
export function makeRegistry(builtIn: Plugin, plugins: readonly Plugin[]): Registry {
  const formats = merge(builtIn.formats, plugins, 'formats', ({ type }) => type)
  const fields = merge(builtIn.fields, plugins, 'fields', ({ name }) => name)
  const byName = new Map<string, Field>([...fields, ...formats].map((field) => [field.name, field]))
  const byType = new Map(formats.map((format) => [format.type, format]))
  return {
    formats,
    actions: merge(builtIn.actions, plugins, 'actions', ({ type }) => type),
    loaders: merge(builtIn.loaders, plugins, 'loaders', ({ name }) => name).toSorted((a, b) => a.cost - b.cost),
    parsers: merge(builtIn.parsers, plugins, 'parsers', ({ name }) => name),
    format: (type) => byType.get(type),
    bind: (field) => byName.get(field.name) ?? field,
  }
}

type Kind = 'formats' | 'fields' | 'actions' | 'loaders' | 'parsers'

function merge<Part>(
  ours: readonly Part[],
  plugins: readonly Plugin[],
  kind: Kind,
  nameOf: (part: Part) => string,
): readonly Part[] {
  const theirs = new Map<string, { readonly part: Part; readonly plugin: string }>()
  for (const plugin of plugins) {
    for (const part of plugin[kind] as unknown as readonly Part[]) {
      const name = nameOf(part)
      const other = theirs.get(name)
      if (other) {
        throw new EngineError(
          'invalid_request',
          `The plugins ${other.plugin} and ${plugin.name} both define "${name}" in ${kind}. Leave one of them out.`,
        )
      }
      theirs.set(name, { part, plugin: plugin.name })
    }
  }
  return [...[...theirs.values()].map(({ part }) => part), ...ours.filter((part) => !theirs.has(nameOf(part)))]
}
