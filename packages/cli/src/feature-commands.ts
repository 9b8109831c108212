// The commands of features: one for each endpoint, built from its definition.
import { hasInput, paramNames, type Endpoint, type Feature } from '@harvestman/core/plugin'
import { describeSchema, type DescribedSchema } from '@harvestman/core/schema'

import { Option, type Command } from './command-line.ts'
import type { CallFlags } from './feature-calls.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import { flagFor, kebab, valueOf, type Flag, type Given } from './schema-flags.ts'
import type { Shell } from './shell.ts'

/** The place of new commands. */
interface Place {
  readonly program: Command
  readonly shell: Shell
  readonly guarded: Guarded
}

/** Adds a command for each endpoint of a feature. */
export function addFeature(feature: Feature, description: string, { program, shell, guarded }: Place): void {
  const parent = program.command(kebab(feature.name)).description(description)
  for (const [key, endpoint] of Object.entries(feature.endpoints))
    addEndpoint(feature, key, endpoint, { parent, shell, guarded })
}

interface Adding {
  readonly parent: Command
  readonly shell: Shell
  readonly guarded: Guarded
}

function addEndpoint(
  { name: feature }: Feature,
  key: string,
  endpoint: Endpoint,
  { parent, shell, guarded }: Adding,
): void {
  const command = parent.command(kebab(key)).description(endpoint.summary)
  const params = paramNames(endpoint.path)
  for (const name of params) command.argument(`<${name}>`, `the ${name}`)
  const flags = hasInput(endpoint) ? flagsOf(describeSchema(endpoint.input)) : []
  for (const { option } of flags) command.addOption(option)
  addPlace(command)
    .option('-j, --json', 'print JSON: one object per line for a list')
    .option('-o, --output <file>', 'write the result to a file')
    .option('--options <json>', 'the whole input, or more of it, as JSON')
    .option(...allowPrivate)
    .option(...config)
    .action((...given: unknown[]) => {
      const options = given.at(-2) as CallFlags & Readonly<Record<string, Given>>
      return guarded(async () => {
        const { callEndpoint } = await import('./feature-calls.ts')
        const input = Object.fromEntries(flags.flatMap((flag) => valueOf(flag, options[flag.option.attributeName()])))
        const named = Object.fromEntries(params.map((name, index) => [name, String(given[index])]))
        return callEndpoint({ feature, key, endpoint, params: named, input }, options, shell)
      })
    })
}

/** Flags that every command of a feature has. Options of the same name are given by --options. */
const taken: ReadonlySet<string> = new Set([
  'json',
  'output',
  'options',
  'store',
  'server',
  'key',
  'allowPrivate',
  'config',
])

function flagsOf({ properties = {} }: DescribedSchema): readonly Flag[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    if (taken.has(name)) return []
    const option = new Option(flagFor(name, field), field.description?.replaceAll('`', '') ?? '')
    return [{ name, field, option: field.enum ? option.choices(field.enum.map(String)) : option }]
  })
}
