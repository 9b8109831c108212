// Feature commands, one per endpoint, built from its definition.
import { hasInput, paramNames, type Endpoint, type Feature, type FeatureCommand } from '@harvestman/core/plugin'
import { describeSchema, type DescribedSchema } from '@harvestman/core/schema'

import { Option, type Command } from './command-line.ts'
import { shown } from './examples.ts'
import type { CallFlags } from './feature-calls.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import { more } from './page-options.ts'
import { withFiles } from './file-inputs.ts'
import { argumentOf, flagFor, kebab, valueOf, type Flag, type Given } from './schema-flags.ts'
import type { Shell } from './shell.ts'
import { specialCommands } from './special-commands.ts'
import { aboutFlag } from './words.ts'

/** The CLI to which commands are added. */
interface Place {
  readonly program: Command
  readonly shell: Shell
  readonly guarded: Guarded
}

/**
 * Adds a command for each endpoint of a feature, and the feature's own commands. An own command replaces the
 * endpoint's with the same name.
 */
export function addFeature(feature: Feature, description: string, { program, shell, guarded }: Place): void {
  const { name, endpoints, commands, examples } = feature
  const parent = program.command(kebab(name)).description(description)
  if (examples.length > 0) parent.addHelpText('before', shown(...examples))
  for (const [key, command] of Object.entries(commands)) addOwn(feature, key, command, { parent, shell, guarded })
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const { name: commandName = kebab(key) } = endpoint.command
    if (!Object.keys(commands).some((own) => kebab(own) === commandName))
      addEndpoint(feature, key, endpoint, commandName, { parent, shell, guarded })
  }
  specialCommands[name]?.(parent, shell, guarded)
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
  name: string,
  { parent, shell, guarded }: Adding,
): void {
  const { arguments: argumentNames = [], files = [] } = endpoint.command
  const command = parent.command(name).description(endpoint.summary)
  const params = paramNames(endpoint.path)
  const described = hasInput(endpoint) ? describeSchema(endpoint.input) : {}
  for (const param of params) command.argument(`<${param}>`, `the ${param}`)
  for (const argument of argumentNames) command.argument(`<${argument}>`, aboutOf(described.properties?.[argument]))
  const flags = flagsOf(described, endpoint.command)
  for (const { option } of flags) command.addOption(option)
  addCallFlags(command)
    .option('--options <json>', 'the whole input, or other properties of it, as JSON')
    .action((...args: unknown[]) => {
      const options = args.at(-2) as CallFlags & Readonly<Record<string, Given>>
      return guarded(async () => {
        const { callEndpoint } = await import('./feature-calls.ts')
        const given = inputOf({ described, argumentNames, flags }, args.slice(params.length), options)
        const input = withFiles(given, files, shell)
        const named = Object.fromEntries(params.map((name, index) => [name, String(args[index])]))
        return callEndpoint({ feature, key, endpoint, params: named, input }, options, shell)
      })
    })
}

/** Adds a command that a feature defines. */
function addOwn(feature: Feature, key: string, own: FeatureCommand, { parent, shell, guarded }: Adding): void {
  const command = parent.command(kebab(key)).description(own.summary)
  const described = describeSchema(own.input)
  for (const argument of own.arguments) {
    const field = described.properties?.[argument]
    command.argument(field?.type === 'array' ? `<${argument}...>` : `<${argument}>`, aboutOf(field))
  }
  const flags = flagsOf(described, own)
  for (const { option } of flags) command.addOption(option)
  addCallFlags(command).action((...args: unknown[]) => {
    const options = args.at(-2) as CallFlags & Readonly<Record<string, Given>>
    return guarded(async () => {
      const { runCommand } = await import('./feature-calls.ts')
      const input = inputOf({ described, argumentNames: own.arguments, flags }, args, options)
      return runCommand({ feature, command: own, input }, options, shell)
    })
  })
}

function addCallFlags(command: Command): Command {
  return addPlace(command)
    .option('-j, --json', 'print JSON: one object per line for a list')
    .option('-o, --output <file>', 'write the result to a file')
    .option(...allowPrivate)
    .option(...config)
}

interface Described {
  readonly described: DescribedSchema
  readonly argumentNames: readonly string[]
  readonly flags: readonly Flag[]
}

/** Returns the input that the arguments and flags of a command line set. */
function inputOf(
  { described: { properties = {} }, argumentNames, flags }: Described,
  args: readonly unknown[],
  options: Readonly<Record<string, Given>>,
): Record<string, unknown> {
  return Object.fromEntries([
    ...argumentNames.map((argument, index) => [argument, argumentOf(argument, properties[argument], args[index])]),
    ...flags.flatMap((flag) => valueOf(flag, options[flag.option.attributeName()])),
  ])
}

/** Flags of every feature command. Input options with the same name are set with --options. */
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

function flagsOf(
  { properties = {} }: DescribedSchema,
  { arguments: argumentNames = [], flags = {}, files = [] }: Pick<Endpoint['command'], 'arguments' | 'flags' | 'files'>,
) {
  return Object.entries(properties).flatMap(([name, field]): readonly Flag[] => {
    const own = flags[name]
    if (argumentNames.includes(name) || (own === undefined && taken.has(name))) return []
    const ofFile = files.includes(name) ? `--${kebab(name)} <file>` : undefined
    const option = new Option(own ?? ofFile ?? flagFor(name, field), aboutFlag(field))
    // Pairs are passed one at a time.
    if (own?.includes('=') === true) option.argParser(more)
    if (field.enum) option.choices(field.enum.map(String))
    return [{ name, field, option }]
  })
}

function aboutOf({ description = '' }: DescribedSchema = {}): string {
  return description.replaceAll('`', '')
}
