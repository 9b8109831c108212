// Command of a plugin's job kind, generated from its schemas.
import type { JobPart } from '@harvestman/core/plugin'

import type { AnswerFlags } from './answers.ts'
import type { Command } from './command-line.ts'
import { shown } from './examples.ts'
import { allowPrivate, config, store, type Guarded } from './many-pages.ts'
import { previewOption } from './preview.ts'
import { argumentOf, flagFor, valueOf, type Flag, type Given } from './schema-flags.ts'
import { serverOptions } from './server-options.ts'
import type { Shell } from './shell.ts'
import { describedRequest, explained, fieldOf, type Asking } from './words.ts'

/** Options of every kind that have flags of their own or are set as JSON. */
const common = new Set(['maxCredits', 'webhook', 'record'])

/** Adds the command of a job kind, with a flag for each option of its request. */
export function addKind(part: JobPart, program: Command, shell: Shell, guarded: Guarded): void {
  const { kind, description, about, command: { name = kind, more, examples = [] } = {} } = part
  const { properties = {} } = describedRequest(part)
  const { [about]: subject } = properties
  const isList = subject?.type === 'array' && subject.items?.type === 'string'
  const argument = isList ? `[${about}...]` : `[${about}]`
  const command = program
    .command(name)
    .argument(argument, plain(properties[about]?.description))
    .description(description)
  if (more !== undefined) command.argument(`[${more}...]`, plain(properties[more]?.description))
  const flags = flagsOf(part)
  for (const { option } of flags) command.addOption(option)
  addAnswerOptions(command, part)
  if (examples.length > 0) command.addHelpText('before', shown(...examples.map((line) => `${name} ${line}`)))
  command.action((first: string | readonly string[] | undefined, ...rest: unknown[]) => {
    const options = rest.at(-2) as AnswerFlags & Readonly<Record<string, Given>>
    const others = more === undefined ? [] : (rest[0] as readonly string[])
    return guarded(async () => {
      const pairs = flags.flatMap((flag) => valueOf(flag, options[flag.option.attributeName()]))
      const words: Values = {
        [about]: first === undefined ? (isList ? [] : '') : argumentOf(about, subject, first),
        ...(more !== undefined && others.length > 0 && { [more]: others }),
      }
      const request = pairs.reduce(withValue, words)
      const { startKind } = await import('./answers.ts')
      return startKind(part, part.command?.read?.(request) ?? request, options, shell)
    })
  })
}

type Values = Readonly<Record<string, unknown>>

function flagsOf(part: JobPart): readonly Flag[] {
  const { about, command: { flags = {}, more } = {} } = part
  // A flag for a nested option replaces the flag of its parent, whose other options are set as JSON.
  const inner = Object.keys(flags).filter((path) => path.includes('.'))
  const taken = new Set([about, more, ...common, ...inner.map((path) => path.split('.')[0])])
  // Options that are only accepted for compatibility with the public API have no flag.
  const names = Object.entries(describedRequest(part).properties ?? {}).flatMap(([name, { deprecated = false }]) =>
    taken.has(name) || deprecated ? [] : [name],
  )
  return [...names, ...inner].map((name) => {
    const field = fieldOf(part, name) ?? {}
    return { name, field, option: explained(flagFor(name, field, flags[name]), part, name) }
  })
}

/** Returns the request with one more value; a path sets a nested option. */
function withValue(request: Values, [path, value]: readonly [string, unknown]): Values {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...request, [name]: value }
  return { ...request, [name]: withValue((request[name] ?? {}) as Values, [rest.join('.'), value]) }
}

function plain(description = ''): string {
  return description.replaceAll('`', '')
}

/** Adds to a command the options that all commands for jobs with one result have. Returns the command. */
export function addAnswerOptions(command: Command, request: Asking): Command {
  return command
    .addOption(explained('--max-credits <n>', request, 'maxCredits'))
    .option('-j, --json', 'print the full result as JSON')
    .option('-o, --output <file>', 'write the answer to a file')
    .option(...previewOption)
    .option('--resume <id>', 'resume a stopped job')
    .option('--options <json>', 'any other options, as JSON')
    .option(...store)
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...config)
}
