// Creates and checks endpoints. Separate from the code that calls them, so that engines without features do not load zod.
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { formatValue } from '../lib/format-value.ts'
import { paramNames, type Endpoint, type EndpointFile, type EndpointInput, type Endpoints } from './endpoint.ts'
import { noInput, noOutput } from './nothing.ts'

const text = z.string().min(1).max(256)

/** Schema of a path parameter that is the id of a job. For other values, HTTP responds with the error for invalid job ids. */
export const jobId: z.ZodType<string> = z.guid().toLowerCase()

/** Makes an endpoint with its defaults filled in. `MakeEndpoint` has the types. Does not check it: `defineFeature` does. */
export function makeEndpoint(input: EndpointInput<unknown, string, z.ZodType, z.ZodType>): Endpoint {
  const { method, path, params = {} } = input
  const schemas = params as Readonly<Record<string, z.ZodType<string> | undefined>>
  const isRead = input.isRead ?? method === 'GET'
  return Object.freeze({
    input: noInput,
    output: noOutput,
    errors: [],
    statuses: {},
    example: undefined,
    tool: false,
    aliases: [],
    messages: {},
    plainErrors: {},
    needs: [],
    isFlat: false,
    property: 'data',
    topLevel: [],
    isOpen: false,
    activity: undefined,
    maxTextBytes: {},
    ...input,
    command: input.command ?? {},
    params: Object.fromEntries(paramNames(path).map((name) => [name, schemas[name] ?? text])),
    isRead,
    isNoted: input.isNoted ?? !isRead,
    rate: input.rate ?? (isRead ? 'status' : undefined),
    isRepeatable: input.isRepeatable ?? (isRead || method !== 'POST'),
  })
}

const files = new WeakMap<z.ZodType, readonly string[]>()

/** Returns the output schema of an endpoint that returns a file. The media types are for OpenAPI; each file sets its own. */
export function fileOutput<File extends EndpointFile = EndpointFile>(
  ...mediaTypes: readonly [string, ...string[]]
): z.ZodType<File> {
  const schema = z.custom<File>((value) => isFile(value), 'is not an EndpointFile: { mediaType, bytes }')
  files.set(schema, mediaTypes)
  return schema
}

function isFile(value: unknown): value is EndpointFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'mediaType' in value
}

/** Returns the media types of an output schema created by `fileOutput`, or `undefined` for JSON. */
export function fileTypesOf({ output }: Pick<Endpoint, 'output'>): readonly string[] | undefined {
  return files.get(output)
}

/**
 * Where a response contains the result of an endpoint. `data`: in one property. `flat`: in the properties next to `success`.
 * `whole`: like `flat`, with its own `success`. `file`: as a file instead of JSON. `none`: there is no result.
 */
export type ResultForm = 'data' | 'flat' | 'whole' | 'file' | 'none'

/** Returns where responses contain the result of an endpoint: `data`, `flat`, `whole`, `file` or `none` (see `ResultForm`). */
export function resultFormOf({ output, isFlat }: Pick<Endpoint, 'output' | 'isFlat'>): ResultForm {
  if (files.has(output)) return 'file'
  if (output instanceof z.ZodVoid) return 'none'
  if (!isFlat) return 'data'
  return output instanceof z.ZodObject && 'success' in output.shape ? 'whole' : 'flat'
}

/** Throws `invalid_request` if an endpoint cannot work. The message names the feature, the endpoint and the remedy. */
export function checkEndpoints(feature: string, endpoints: Endpoints, activities: object): void {
  const taken = new Map<string, string>()
  for (const [name, one] of Object.entries(endpoints)) {
    const where = `${feature}.${name}`
    if (!/^[a-z][A-Za-z0-9]{0,63}$/.test(name) || name === 'then')
      throw wrong(where, 'has a name that is not a lowercase letter followed by up to 63 letters and digits')
    if (!/^\/v2\/[a-z][\w{}/-]*$/.test(one.path))
      throw wrong(where, `has the path ${one.path}. Use a path below /v2/, such as /v2/${feature}/{id}`)
    if (typeof one.run !== 'function') throw wrong(where, 'has no run function')
    if (one.activity !== undefined && !Object.hasOwn(activities, one.activity))
      throw wrong(where, `has the activity "${one.activity}", which is not in activities of the feature`)
    if (typeof one.summary !== 'string' || one.summary.trim() === '')
      throw wrong(where, 'has no summary. Add one sentence for the docs')
    if (resultFormOf(one) === 'flat' && !('shape' in one.output))
      throw wrong(where, 'has isFlat, but its output is not an object. Use z.object for the output, or remove isFlat')
    const properties = one.output instanceof z.ZodObject && !one.isFlat ? one.output.shape : {}
    const missing = one.topLevel.find((property) => !(property in properties))
    if (missing !== undefined)
      throw wrong(where, `has "${missing}" in topLevel, which is not a property of a result in data`)
    if (one.isOpen && one.isNoted)
      throw wrong(
        where,
        'has isOpen, but the activity log of a team lists it. Only endpoints without isNoted can have isOpen',
      )
    if (one.property !== 'data' && (resultFormOf(one) !== 'data' || one.topLevel.length > 0))
      throw wrong(
        where,
        `has the property "${one.property}", which only a result without isFlat, topLevel and a file can have`,
      )
    const other = one.aliases.find((alias) => paramNames(alias).join() !== paramNames(one.path).join())
    if (other !== undefined)
      throw wrong(where, `has the alias ${other}, whose parameters differ from those of ${one.path}`)
    const unknown = commandInput(one).find((input) => !hasProperty(one, input))
    if (unknown !== undefined) throw wrong(where, `has "${unknown}" in command, which is not a property of its input`)
    checkTextLimits(one, where)
    for (const path of [one.path, ...one.aliases]) {
      const key = `${one.method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
      const same = taken.get(key)
      if (same !== undefined) throw wrong(where, `has the same method and path as ${same}: ${key}. Change one of them`)
      taken.set(key, where)
    }
  }
}

function checkTextLimits(one: Endpoint, where: string): void {
  for (const [name, bytes] of Object.entries(one.maxTextBytes)) {
    if (one.method === 'GET' || one.method === 'DELETE')
      throw wrong(where, `has maxTextBytes, but a ${one.method} request has no body. Remove maxTextBytes`)
    if (!hasProperty(one, name))
      throw wrong(where, `has "${name}" in maxTextBytes, which is not a property of its input`)
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      throw wrong(where, `has ${formatValue(bytes)} as maxTextBytes of "${name}". Use a positive integer`)
  }
}

/** Returns the properties of the input that the command of an endpoint refers to. */
function commandInput({ command }: Endpoint): readonly string[] {
  const { arguments: names = [], flags = {}, defaults = {}, files: paths = [], extension } = command
  const ofFile = extension === undefined ? [] : [extension]
  return [...names, ...paths, ...Object.keys(flags), ...Object.keys(defaults), ...ofFile]
}

function hasProperty({ input }: Endpoint, name: string): boolean {
  return !(input instanceof z.ZodObject) || name in input.shape
}

function wrong(where: string, what: string): EngineError {
  return new EngineError('invalid_request', `The endpoint ${where} ${what}.`)
}
