// Routes of features, generated from their endpoint definitions.
import {
  fileTypesOf,
  hasInput,
  jobId,
  resultFormOf,
  type Endpoint,
  type EndpointFile,
  type Feature,
} from '@harvestman/core/plugin'
import { z } from 'zod'

import { always, type Answer } from '../answer/answer.ts'
import { route, type Route, type RouteCall } from '../route/route.ts'
import { fromQuery } from './query.ts'

/** Returns the routes of a feature: one for the path of each endpoint, and one for each alias of that path. */
export function featureRows(feature: Feature): readonly Route[] {
  return Object.entries(feature.endpoints).flatMap(([key, endpoint]) =>
    [endpoint.path, ...endpoint.aliases].map((path) => endpointRow(feature, key, path, endpoint)),
  )
}

function endpointRow(feature: Feature, key: string, path: string, endpoint: Endpoint): Route {
  const { method, summary, errors, statuses, messages, params, rate, isOpen, example, input, maxTextBytes } = endpoint
  const { group, invalidId: badId = 'Invalid path parameter' } = feature
  const { not_found: notFound = feature.notFound, forbidden } = messages
  const takesBody = hasInput(endpoint) && method !== 'GET' && method !== 'DELETE'
  const takesQuery = hasInput(endpoint) && !takesBody
  const run = async ({ engine, params, input, query, caller, signal, at }: RouteCall): Promise<unknown> => {
    const served = engine.features[feature.name]
    const call = { ...caller, signal, apiUrl: at }
    return served?.invoke(key, { params, input: takesBody ? input : query, call })
  }
  const types = Object.values(params)
  const namesJob = types.length > 0 && types.every((type) => type === jobId)
  const row = {
    ...{ method, path: path as `/${string}`, group, summary, isOpen, fails: errors, needs: endpoint.needs },
    ...(!namesJob && { params }),
    words: {
      statuses,
      plain: endpoint.plainErrors,
      ...(!namesJob && { badId }),
      ...(forbidden !== undefined && { forbidden }),
      ...(notFound === undefined ? { usesOwnMessages: true } : { notFound }),
    },
    ...(rate !== undefined && { rate }),
    ...(takesBody && { input: () => input, engineChecks: true, ...(example && { example }) }),
    ...(takesBody && { bounds: { properties: new Map(Object.entries(maxTextBytes)) } }),
    ...(takesQuery && { query: fromQuery(input) }),
  }
  const fileTypes = fileTypesOf(endpoint)
  if (fileTypes) {
    const read = (call: RouteCall) => run(call) as Promise<EndpointFile>
    return route({ ...row, output: () => z.string(), gives: fileTypes, run: read, answer: fileAnswer })
  }
  return route({
    ...row,
    output: () => answerSchema(endpoint),
    run: async (call) => answerOf(endpoint, await run(call)),
  })
}

const done = z.object({ success: z.literal(true) })

function answerSchema(endpoint: Endpoint): z.ZodType {
  const { output, topLevel, property } = endpoint
  const form = resultFormOf(endpoint)
  if (form === 'none') return done
  if (!(output instanceof z.ZodObject)) return done.extend({ [property]: output })
  if (form === 'flat' || form === 'whole') return done.extend(output.shape)
  const fields: Readonly<Record<string, z.ZodType>> = output.shape
  const also = Object.fromEntries(Object.entries(fields).filter(([name]) => topLevel.includes(name)))
  return done.extend({ ...also, [property]: output })
}

function answerOf(endpoint: Endpoint, result: unknown): object {
  const form = resultFormOf(endpoint)
  if (form === 'none') return { success: true }
  if (form === 'flat' || form === 'whole') return { success: true, ...(result as object) }
  const properties = Object.entries(typeof result === 'object' && result !== null ? result : {})
  const also = Object.fromEntries(properties.filter(([name]) => endpoint.topLevel.includes(name)))
  return { success: true, ...also, [endpoint.property]: result }
}

function fileAnswer({ mediaType, name, bytes }: EndpointFile, headers: Answer['headers']): Answer {
  const saved =
    name === undefined ? {} : { 'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"` }
  return {
    status: 200,
    headers: { ...always, ...headers, 'content-type': mediaType, ...saved },
    body: bytes instanceof Uint8Array ? bytes : streamOf(bytes),
    hasEnd: true,
  }
}

async function* streamOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* bytes
}
