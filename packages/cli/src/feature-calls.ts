// Calls of endpoints: in an engine of this process, or on a server.
import { createWriteStream, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { createClient } from '@harvestman/client'
import { hasInput, resultFormOf, type Endpoint, type EndpointFile, type ServedFeature } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { privateFile } from '@harvestman/ports/adapters'

import { withOwnEngine, type EngineFlags } from './follow.ts'
import { parseOptions } from './page-options.ts'
import { printable } from './printable.ts'
import { asEngineError } from './remote-engine.ts'
import { serverFor, type Server } from './servers.ts'
import { exitCodes, type Shell } from './shell.ts'

/** Flags of the commands of features. */
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
  readonly input: object
}

/** Calls an endpoint and prints its result. */
export async function callEndpoint(given: EndpointAsked, flags: CallFlags, shell: Shell): Promise<number> {
  const more = parseOptions(flags.options)
  const asked = { ...given, input: { ...given.input, ...more } }
  const server = serverFor(flags, shell)
  if (server) return tell(asked, await onServer(asked, server), flags, shell)
  return withOwnEngine(flags, shell, async ({ features }) => {
    const served = (features as Readonly<Record<string, ServedFeature>>)[asked.feature]
    if (!served)
      throw new EngineError('not_configured', `This engine has no ${asked.feature}. Add its plugin to plugins.`)
    return tell(asked, await served.invoke(asked.key, asked), flags, shell)
  })
}

type Methods = Readonly<Record<string, Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>>>

async function onServer({ feature, key, endpoint, params, input }: EndpointAsked, { url, key: apiKey }: Server) {
  // Cast: the client looks the feature up on the server.
  const client = createClient({ url, key: apiKey }) as unknown as Methods
  const sent = hasInput(endpoint) ? [input] : []
  try {
    const result = await client[feature]?.[key]?.(...Object.values(params), ...sent)
    return result instanceof Response ? fileOf(result) : result
  } catch (error) {
    throw asEngineError(error, url)
  }
}

function fileOf({ headers, body }: Response): EndpointFile {
  const [, name] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return { mediaType: headers.get('content-type') ?? '', name, bytes: body ?? new Uint8Array() }
}

async function tell({ endpoint }: EndpointAsked, result: unknown, flags: CallFlags, shell: Shell): Promise<number> {
  const { output, json = false } = flags
  if (resultFormOf(endpoint) === 'file') {
    const { bytes, name } = result as EndpointFile
    const stream = bytes instanceof Uint8Array ? Readable.from([bytes]) : Readable.from(bytes)
    const file = output ?? name?.replaceAll(/[^\w.-]/g, '_')
    if (file === undefined) for await (const piece of stream) shell.out(Buffer.from(piece as Uint8Array).toString())
    else {
      await pipeline(stream, createWriteStream(file, { mode: privateFile }))
      shell.err(`Saved in ${file}.\n`)
    }
    return exitCodes.done
  }
  if (Array.isArray(result) && result.length === 0 && !json) shell.err('The list is empty.\n')
  const text = json || output !== undefined ? jsonOf(result) : plainOf(endpoint, result)
  if (output === undefined) shell.out(text)
  else writeFileSync(output, text)
  return exitCodes.done
}

function jsonOf(result: unknown): string {
  if (result === undefined) return ''
  return Array.isArray(result)
    ? result.map((one) => `${JSON.stringify(one)}\n`).join('')
    : `${JSON.stringify(result, null, 2)}\n`
}

/** A list has a line for each item, an object one for each property. */
function plainOf({ cells }: Endpoint, result: unknown): string {
  if (result === undefined) return ''
  const lineOf = (item: unknown): string => `${(cells?.(item) ?? valuesOf(item)).map(cellOf).join('  ')}\n`
  if (Array.isArray(result)) return result.map(lineOf).join('')
  if (cells || typeof result !== 'object' || result === null) return lineOf(result)
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
