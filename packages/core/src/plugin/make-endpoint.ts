// Creates endpoints. Separate from the code that calls them, so that an engine without features does not load zod for them.
import { z } from 'zod'

import { paramNames, type Endpoint, type EndpointFile, type EndpointInput } from './endpoint.ts'
import { noInput, noOutput } from './nothing.ts'

const text = z.string().min(1).max(256)

/** Makes an endpoint with its defaults. Types are those of `MakeEndpoint`. */
export function makeEndpoint(input: EndpointInput<unknown, string, z.ZodType, z.ZodType>): Endpoint {
  const { method, path, params = {} } = input
  const given = params as Readonly<Record<string, z.ZodType<string> | undefined>>
  const isRead = input.isRead ?? method === 'GET'
  return Object.freeze({
    input: noInput,
    output: noOutput,
    errors: [],
    example: undefined,
    tool: false,
    isFlat: false,
    ...input,
    params: Object.fromEntries(paramNames(path).map((name) => [name, given[name] ?? text])),
    isRead,
    isRepeatable: input.isRepeatable ?? (isRead || method !== 'POST'),
  })
}

const files = new WeakMap<z.ZodType, string>()

/** The output of an endpoint that returns a file of this media type. */
export function fileOutput(mediaType: string): z.ZodType<EndpointFile> {
  const schema = z.custom<EndpointFile>((value) => isFile(value), 'is not an EndpointFile: { mediaType, bytes }')
  files.set(schema, mediaType)
  return schema
}

function isFile(value: unknown): value is EndpointFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'mediaType' in value
}

/** Returns the media type of an output made by `fileOutput`; undefined for JSON. */
export function fileTypeOf({ output }: Pick<Endpoint, 'output'>): string | undefined {
  return files.get(output)
}

/** Returns whether an endpoint has a result. */
export function hasOutput({ output }: Pick<Endpoint, 'output'>): boolean {
  return !(output instanceof z.ZodVoid)
}
