// Calls feature endpoints, in an engine of this process or on a server.
import { appendFileSync, createWriteStream, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import {
  callersOf,
  hasInput,
  resultFormOf,
  type CommandOutput,
  type Endpoint,
  type EndpointFile,
  type EndpointRequest,
  type Feature,
  type FeatureCommand,
  type Printed,
} from '@harvestman/core/plugin'
import { check } from '@harvestman/core/schema'
import { EngineError } from '@harvestman/ports'
import { privateFile } from '@harvestman/toolbox/private-files'

import { featureOf, type CommandClient } from './client.ts'
import { withClient, type EngineFlags } from './follow.ts'
import { parseOptions } from './page-options.ts'
import { printable } from './printable.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

/** Flags of feature commands. */
export interface CallFlags extends EngineFlags {
  readonly json?: boolean
  readonly output?: string
  readonly options?: string
}

/** A call of an endpoint. */
export interface EndpointAsked {
  readonly feature: string
  readonly key: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * Calls an endpoint and prints its result, or writes it to `--output`. A file is saved there, else under its own name, else
 * printed if it is text. Rejects if the call fails, and with `invalid_request` for a binary file without a name. Resolves to
 * the exit code.
 */
export async function callEndpoint(given: EndpointAsked, flags: CallFlags, shell: Shell): Promise<number> {
  const { feature, key, endpoint, params } = given
  const { defaults, extension } = endpoint.command
  const ofFile = extension === undefined ? undefined : /\.(\w+)$/.exec(flags.output ?? '')?.[1]
  const input = {
    ...defaults,
    ...(extension !== undefined && ofFile !== undefined && { [extension]: ofFile }),
    ...given.input,
    ...parseOptions(flags.options),
  }
  return withClient(flags, shell, async (client) => {
    const result = await invoke(client, feature, key, { params, ...(hasInput(endpoint) && { input }) })
    return resultFormOf(endpoint) === 'file'
      ? saveFile(result as EndpointFile, flags, shell)
      : tell({ ...given, input }, result, flags, shell)
  })
}

async function invoke(
  client: CommandClient,
  feature: string,
  endpoint: string,
  { params = {}, input }: EndpointRequest,
): Promise<unknown> {
  const args = [...Object.values(params), ...(input === undefined ? [] : [input])]
  const result = await featureOf(client, feature)[endpoint]?.(...args)
  return result instanceof Response ? fileOf(result) : result
}

/** Converts a server response to a file. */
function fileOf({ headers, body }: Response): EndpointFile {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return { mediaType: headers.get('content-type') ?? '', name, bytes: body ?? new Uint8Array() }
}

/** A call of a command that a feature defines. */
export interface CommandAsked {
  readonly feature: Feature
  readonly command: FeatureCommand
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * Runs a feature command and prints each output that it yields. Resolves to the exit code: 1 if an output is marked as a
 * failure, 130 after Ctrl-C. Rejects with `invalid_request` if the input is invalid, and as the command does.
 */
export async function runCommand(given: CommandAsked, flags: CallFlags, shell: Shell): Promise<number> {
  const { feature, command } = given
  const input = check(command.input, given.input)
  return untilStopped(
    (signal) =>
      withClient(flags, shell, async (client) => {
        const endpoints = callersOf(feature.endpoints, (name, request) => invoke(client, feature.name, name, request))
        let code: number = exitCodes.done
        let write: (file: string, text: string) => void = writeFileSync
        for await (const part of command.run({ endpoints, input, signal })) {
          printPart(part, flags, shell, write)
          write = appendFileSync
          if (part.isFailure === true) code = exitCodes.fault
        }
        return code
      }),
    shell,
  )
}

function printPart(
  part: CommandOutput,
  { output, json = false }: CallFlags,
  shell: Shell,
  write: (file: string, text: string) => void,
): void {
  const text = json || output !== undefined ? jsonOf(itemsOf(part) ?? part.result) : plainOf(part, part.result)
  if (output === undefined) shell.out(text)
  else write(output, text)
  if (part.message !== undefined) shell.err(`${printable(part.message)}\n`)
}

/** Media types of files that may be printed. */
const textTypes = /^(text\/|application\/([\w.-]+\+)?(json|x-ndjson|xml))/

async function saveFile({ mediaType, bytes, name }: EndpointFile, { output }: CallFlags, shell: Shell) {
  const stream = bytes instanceof Uint8Array ? Readable.from([bytes]) : Readable.from(bytes)
  const file = output ?? name?.replaceAll(/[^\w.-]/g, '_')
  if (file !== undefined) {
    await pipeline(stream, createWriteStream(file, { mode: privateFile }))
    shell.err(`Saved in ${file}.\n`)
    return exitCodes.done
  }
  if (!textTypes.test(mediaType)) {
    stream.destroy()
    const message = `The result is a file of the type ${printable(mediaType)}. Name a file for it: --output <file>.`
    throw new EngineError('invalid_request', message)
  }
  for await (const piece of stream) shell.out(Buffer.from(piece as Uint8Array).toString())
  return exitCodes.done
}

function tell({ endpoint, params, input }: EndpointAsked, result: unknown, flags: CallFlags, shell: Shell): number {
  const { output, json = false } = flags
  const printed = endpoint.command.print?.(result, { params, input }) ?? {}
  const isEmpty = Array.isArray(result) && result.length === 0
  const message = printed.message ?? (isEmpty && !json ? 'The list is empty.' : undefined)
  const value = 'json' in printed ? printed.json : (itemsOf(printed) ?? result)
  const text = json || output !== undefined || 'json' in printed ? jsonOf(value) : plainOf(printed, result)
  if (output === undefined) shell.out(text)
  else writeFileSync(output, text)
  if (message !== undefined) shell.err(`${printable(message)}\n`)
  return exitCodes.done
}

/** Returns the rows of a table as objects. */
function itemsOf({ table }: Printed): readonly object[] | undefined {
  return table?.rows.map((row) => Object.fromEntries(table.columns.map((column, index) => [column, row[index]])))
}

function jsonOf(result: unknown): string {
  if (result === undefined) return ''
  return Array.isArray(result)
    ? result.map((one) => `${JSON.stringify(one)}\n`).join('')
    : `${JSON.stringify(result, null, 2)}\n`
}

/** Formats a result for the console: its own lines or table, else one line per list item or object property. */
function plainOf({ lines, table, widths = [], text }: Printed, result: unknown): string {
  const lineOf = (values: readonly unknown[], between = '  '): string =>
    `${values.map((value, index) => cellOf(value).padEnd(widths[index] ?? 0)).join(between)}\n`
  const below = text === undefined ? '' : `${text}\n`
  if (lines || text !== undefined) return (lines ?? []).map((line) => lineOf(line)).join('') + below
  if (table)
    return [table.columns, ...table.rows]
      .map((row) =>
        lineOf(
          row.map((cell) => cell ?? ''),
          '\t',
        ),
      )
      .join('')
  if (result === undefined) return ''
  if (Array.isArray(result)) return result.map((item) => lineOf(valuesOf(item))).join('')
  if (typeof result !== 'object' || result === null) return lineOf([result])
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${cellOf(value)}\n`)
    .join('')
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value]
}

function cellOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return printable(JSON.stringify(value))
  return printable(typeof value === 'string' ? value : JSON.stringify(value ?? null))
}
