// Calls of a feature's endpoints, with the same steps for engine methods, HTTP requests and commands.
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { checkGroupScope } from '../gates/scopes.ts'
import { outputError } from '../lib/output-error.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { callersOf, type EndpointRequest } from '../plugin/callers.ts'
import type { Endpoint, EndpointCall } from '../plugin/endpoint.ts'
import type { Feature } from '../plugin/feature.ts'
import type { Plugin } from '../plugin/parts.ts'
import { check } from '../schema/problems.ts'
import { noteRequest, noteWork } from './requests.ts'
import { someTeam } from './some-team.ts'

/** A feature of an engine for servers and commands: its definition, and a function that calls its endpoints by name. */
export interface ServedFeature<One extends Feature = Feature> {
  readonly definition: One
  /** Validates the request, checks the scopes and the gates, runs the endpoint and validates its result. */
  invoke(endpoint: string, request: EndpointRequest): Promise<unknown>
}

/** Features with endpoints of an engine with these plugins, by name. */
export type ServedFeaturesOf<Plugins extends readonly Plugin[]> = {
  readonly [
    One in Plugins[number]['features'][number] as 'then' extends keyof One['endpoints'] ? never : One['name']
  ]: ServedFeature<One>
}

interface ServedOptions {
  readonly feature: Feature
  readonly plugin: string
  readonly value: unknown
  readonly gate: RequestGate
  /** Opens the plugins of the engine. */
  readonly prepare: () => Promise<void> | undefined
  readonly signal: AbortSignal
}

/**
 * Creates the calls of one feature. `invoke` rejects with `not_found` for an unknown endpoint, with the reason once the feature
 * is closed, and with `internal` if the endpoint throws anything but an `EngineError`, or returns a result that does not fit.
 * Gates are asked only for endpoints with `isNoted`; for others, only the scopes are checked.
 */
export function serveFeature({ feature, plugin, value, gate, prepare, signal }: ServedOptions): ServedFeature {
  const { name, group, endpoints } = feature
  const run = async (key: string, { params = {}, input, call = {} }: EndpointRequest): Promise<unknown> => {
    const endpoint = Object.hasOwn(endpoints, key) ? endpoints[key] : undefined
    if (!endpoint) throw new EngineError('not_found', `The feature ${name} has no endpoint ${key.slice(0, 100)}.`)
    const where = `${name}.${key} of the plugin ${plugin}`
    const checked = checkRequest(endpoint, { params, input }, (error) => {
      if (endpoint.isNoted)
        noteRequest(gate, activityOf(feature, endpoint), input, { ...call, team: call.team ?? someTeam }).refused(error)
    })
    const until = call.signal ? AbortSignal.any([call.signal, signal]) : signal
    const callOf = (team: string): EndpointCall => {
      return { ...checked, team, call: { ...call, team }, signal: until, apiUrl: call.apiUrl }
    }
    const work = async (team: string): Promise<unknown> => {
      await prepare()
      return resultOf(endpoint, where, await runOne(endpoint, where, value, callOf(team)))
    }
    until.throwIfAborted()
    if (!endpoint.isNoted) {
      checkGroupScope(group, call)
      return work(call.team ?? someTeam)
    }
    const target = {
      group,
      endpoint: activityOf(feature, endpoint),
      idOf: (result: unknown) => idOf(result, checked.params),
    }
    const noted = await notedOf(endpoint, value, callOf(call.team ?? someTeam))
    return noteWork(gate, target, noted, call, ({ team }) => work(team))
  }
  return { definition: feature, invoke: run }
}

/** Validates the path parameters and the input of a call. Passes an error to `onRefused` before it is thrown. */
function checkRequest(
  endpoint: Endpoint,
  { params = {}, input }: EndpointRequest,
  onRefused: (error: unknown) => void,
): Pick<EndpointCall, 'params' | 'input'> {
  try {
    return { params: paramsOf(endpoint, params), input: check(endpoint.input, input ?? {}) }
  } catch (error) {
    onRefused(error)
    throw error
  }
}

/** Returns the input to show in the activity log. If `subject` throws, no subject is shown: the call reports the error. */
async function notedOf(endpoint: Endpoint, value: unknown, call: EndpointCall): Promise<object> {
  const [first] = Object.values(call.params)
  const input = objectOf(call.input) as { readonly zeroDataRetention?: unknown }
  if (!endpoint.subject) return { query: first, ...input }
  const { zeroDataRetention } = input
  try {
    return { zeroDataRetention, query: await endpoint.subject(value, call) }
  } catch {
    return { zeroDataRetention }
  }
}

/** Builds the property of the engine: one method per endpoint, and the additional members of the feature. */
export function methodsOf({ definition, invoke }: ServedFeature, value: unknown): object {
  return Object.freeze({ ...callersOf(definition.endpoints, invoke), ...definition.more?.(value) })
}

function paramsOf(
  endpoint: Pick<Endpoint, 'params'>,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(endpoint.params).map(([name, schema]) => {
      const read = schema.safeParse(values[name])
      if (read.success) return [name, read.data]
      // Throws the problem as that of any other field.
      return [name, check(z.object({ [name]: schema }), { [name]: values[name] })[name] as string]
    }),
  )
}

async function runOne(endpoint: Endpoint, where: string, value: unknown, given: Parameters<Endpoint['run']>[1]) {
  try {
    return await endpoint.run(value, given)
  } catch (error) {
    if (EngineError.is(error) || given.signal.aborted) throw error
    const reason = errorMessage(error)
    throw new EngineError('internal', `The endpoint ${where} failed: ${reason}`, { cause: error })
  }
}

function resultOf({ output }: Endpoint, where: string, result: unknown): unknown {
  const read = output.safeParse(result)
  if (read.success) return read.data
  throw outputError(`The endpoint ${where}`, read.error)
}

function activityOf({ name, activities }: Feature, { activity }: Endpoint): string {
  return activity ?? Object.keys(activities)[0] ?? name
}

/** Returns the id of the result, the path parameter `id`, or a generated id, for the activity log. */
function idOf(result: unknown, params: Readonly<Record<string, string>>): string {
  const { id } = objectOf(result) as { readonly id?: unknown }
  return typeof id === 'string' ? id : (params['id'] ?? crypto.randomUUID())
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
