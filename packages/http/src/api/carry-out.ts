import { check } from '@harvestman/core/schema'
import type { Remedies } from '@harvestman/ports'
import { z } from 'zod'

import type { Refusal, Transport } from '../answer/answer.ts'
import { admit } from './admit.ts'
import { hasKey, unknownCaller, type Authenticate, type Caller } from '../callers/auth.ts'
import { isJson, readFile, readJson, readFullBody, type Read } from '../request/body.ts'
import { toEngineCaller, readParams, readQuery, toCall } from '../request/call.ts'
import { clientKeysOf, withoutClientKeys } from '../request/client-keys.ts'
import type { Cors } from './cors.ts'
import { fieldsOf } from '../request/fields.ts'
import { rateHeaders } from '../answer/rate-headers.ts'
import { badParams, foreignPage, missingNeed, notSupported } from '../refusals/refusals.ts'
import type { Route, Schemas, ServerParts } from '../route/route.ts'
import type { Found } from '../route/router.ts'

export interface Work extends ServerParts {
  readonly authenticate: Authenticate
  /** True if every caller on localhost is served without a key. */
  readonly isOpen: boolean
  /** The operator's key. Without it, operator routes are rejected. */
  readonly adminKey: string | undefined
  /** Maximum body size, in bytes. */
  readonly bodyBytes: number
  /** How the operator provides each port, by port name. */
  readonly remedies: Remedies | undefined
  /** Returns whether pages of an origin may send requests. */
  readonly allows: Cors['allows']
}

/** Carries out a request. `at` is the base URL of this server as the caller sees it. */
export type CarryOut = (request: Request, found: Found, at: string, transport?: Transport) => Promise<Done | Refusal>

/** Result of a request, and additional response headers. */
export interface Done extends Read {
  readonly headers: Readonly<Record<string, string>>
}

const noTeam: Caller = { team: '' }
const noInput: Read = { value: undefined }

/**
 * Returns the function that carries out a request: authenticates, admits, reads the input and runs the route. Its
 * result is a value with headers, or the error response to send; other errors, such as an unknown key, are thrown.
 */
export function makeCarryOut(work: Work): CarryOut {
  const { authenticate, adminKey, isOpen, bodyBytes, allows, remedies, ...context } = work
  const most = { bodyBytes, fileBytes: context.engine.limits.bodyBytes }
  const ports = new Set<string>(context.engine.capabilities().ports)
  const bodies = new Map<Route, Body | undefined>()
  // Created on first use: most servers use few of their routes.
  const bodyOf = (route: Route): Body | undefined => {
    if (!bodies.has(route)) bodies.set(route, describeBody(route, context.engine.schemas))
    return bodies.get(route)
  }
  return async (request, { route, params: given }, at, transport) => {
    const caller = await whoAsks(request, route, { authenticate, adminKey, isOpen })
    if (!caller) throw unknownCaller(request)
    const { engine } = context
    const admitted = await admit(route, caller, engine, endpointOf(route))
    if (route.unsupported !== undefined) return notSupported(route.unsupported)
    if (route.absent) return route.absent
    const params = readParams(given, route)
    if (!params) return badParams(route)
    const missing = route.needs.find((need) => !ports.has(need))
    if (missing) return missingNeed(missing, remedies)
    const query = readQuery(request, route)
    const body = bodyOf(route)
    // Browsers send cross-origin forms without a preflight request.
    if (body?.takesFile === true && !allows(request.headers.get('origin'))) return foreignPage
    const { team } = caller
    const engineCaller = toEngineCaller(caller, route, admitted)
    await route.beforeBody?.({ engine, params })
    const read = await readBody(request, body, route, most)
    if (!('value' in read)) return read
    const known = {
      ...context,
      input: read.value,
      file: read.file,
      query,
      params,
      team,
      caller: engineCaller,
      at,
    }
    const call = toCall(request, known, transport)
    return { value: await route.run(call), headers: rateHeaders(admitted.rate) }
  }
}

/** Returns the endpoint name under which the activity records a request that starts work, even if it is rejected. */
function endpointOf({ method, group, takesFile = false, kind }: Route): string | undefined {
  // Parsing a file counts as a scrape in the activity.
  if (takesFile) return 'scrape'
  return method === 'POST' ? (kind ?? endpoints[group]) : undefined
}

const endpoints: Readonly<Partial<Record<Route['group'], string>>> = {
  scrape: 'scrape',
  map: 'map',
  search: 'search',
  interact: 'interact',
}

async function whoAsks(
  request: Request,
  route: Route,
  { authenticate, adminKey, isOpen }: Pick<Work, 'authenticate' | 'adminKey' | 'isOpen'>,
): Promise<Caller | undefined> {
  if (route.isOpen || (route.isLocal && isOpen)) return noTeam
  if (route.isAdmin) return adminKey !== undefined && hasKey(request, adminKey) ? noTeam : undefined
  return authenticate(request)
}

interface Body {
  readonly schema: z.ZodType
  /** Keys of the schema: of the body, and of its `scrapeOptions`. */
  readonly keys: ReadonlySet<string>
  readonly pageKeys: ReadonlySet<string>
  /** Keys that clients of the public API may add. */
  readonly clientKeys: ReadonlySet<string>
  readonly engineChecks: boolean
  readonly takesFile: boolean
  readonly bounds: Route['bounds']
}

function describeBody(
  { input, engineChecks = false, takesFile = false, bounds, group }: Route,
  schemas: Schemas,
): Body | undefined {
  const schema = input?.(schemas)
  if (!schema) return undefined
  const fields = fieldsOf(schema)
  const { scrapeOptions } = fields
  const pageKeys = new Set(scrapeOptions ? Object.keys(fieldsOf(scrapeOptions)) : [])
  const keys = new Set(Object.keys(fields))
  return { schema, engineChecks, takesFile, bounds, keys, pageKeys, clientKeys: clientKeysOf(group) }
}

interface Most {
  readonly bodyBytes: number
  readonly fileBytes: number
}

async function readBody(
  request: Request,
  body: Body | undefined,
  { takesBytes = false }: Route,
  most: Most,
): Promise<Read | Refusal> {
  if (takesBytes) return readFullBody(request, most.fileBytes)
  return body ? readInput(request, body, most) : noInput
}

/** Any JSON object. Routes and engines read keys from the body before its own schema is checked. */
const anyObject = z.looseObject({})

async function readInput(
  request: Request,
  { schema, keys, pageKeys, clientKeys, engineChecks, takesFile, bounds }: Body,
  { bodyBytes, fileBytes }: Most,
): Promise<Read | Refusal> {
  // Without a form, the JSON body references a file that was uploaded before.
  const read = await (takesFile && !isJson(request)
    ? readFile(request, fileBytes)
    : readJson(request, bodyBytes, bounds))
  if (!('value' in read)) return read
  check(anyObject, read.value)
  const input = withinOptions(withoutClientKeys(read.value, keys, clientKeys), pageKeys)
  return { ...read, value: engineChecks ? input : check(schema, input) }
}

/** Removes the clients' label keys from the options of each page as well. */
function withinOptions(body: unknown, keys: ReadonlySet<string>): unknown {
  if (keys.size === 0 || typeof body !== 'object' || body === null || !('scrapeOptions' in body)) return body
  return { ...body, scrapeOptions: withoutClientKeys(body.scrapeOptions, keys) }
}
