import { check } from '@harvestman/core/schema'
import { z } from 'zod'

import type { Refusal, Transport } from '../answer/answer.ts'
import { admit } from './admit.ts'
import { hasKey, notKnown, type Authenticate, type Caller } from '../callers/auth.ts'
import { isJson, readFile, readJson, readWhole, type Read } from '../request/body.ts'
import { askerOf, readParams, readQuery, toCall } from '../request/call.ts'
import { withoutClientKeys } from '../request/client-keys.ts'
import type { Cors } from './cors.ts'
import { fieldsOf } from '../request/fields.ts'
import { rateHeaders } from '../answer/rate-headers.ts'
import { badParams, foreignPage, missingNeed, notSupported } from '../refusals/refusals.ts'
import type { Route, Schemas, ServerParts } from '../route/route.ts'
import type { Found } from '../route/router.ts'

export interface Work extends ServerParts {
  readonly authenticate: Authenticate
  /** True when every caller on this machine is answered, without a key. */
  readonly isOpen: boolean
  /** The key of the operator; without it, rows for operators are not answered. */
  readonly adminKey: string | undefined
  /** The largest body that is read, in bytes. */
  readonly bodyBytes: number
  /** Returns whether pages of an origin may ask. */
  readonly allows: Cors['allows']
}

/** `at` is the address of this server as the caller reaches it. */
export type CarryOut = (request: Request, found: Found, at: string, transport?: Transport) => Promise<Done | Refusal>

/** Result of a request, and headers that go with any answer. */
export interface Done extends Read {
  readonly headers: Readonly<Record<string, string>>
}

const noTeam: Caller = { team: '' }
const noInput: Read = { value: undefined }

/** Gives the function that does what a row describes: who asks, for what, and then the work. */
export function makeCarryOut(work: Work): CarryOut {
  const { authenticate, adminKey, isOpen, bodyBytes, allows, ...context } = work
  const most = { bodyBytes, fileBytes: context.engine.limits.bodyBytes }
  const ports = new Set<string>(context.engine.capabilities().ports)
  const bodies = new Map<Route, Body | undefined>()
  // Made when it is first asked for: most servers are asked for few of their routes.
  const bodyOf = (route: Route): Body | undefined => {
    if (!bodies.has(route)) bodies.set(route, describeBody(route, context.engine.schemas))
    return bodies.get(route)
  }
  return async (request, { route, params: given }, at, transport) => {
    const caller = await whoAsks(request, route, { authenticate, adminKey, isOpen })
    if (!caller) throw notKnown(request)
    const { engine } = context
    const admitted = await admit(route, caller, engine, endpointOf(route))
    if (route.unsupported !== undefined) return notSupported(route.unsupported)
    if (route.absent) return route.absent
    const params = readParams(given, route)
    if (!params) return badParams(route)
    const missing = route.needs.find((need) => !ports.has(need))
    if (missing) return missingNeed(missing)
    const query = readQuery(request, route)
    const body = bodyOf(route)
    // Browsers send forms for any page, without asking.
    if (body?.takesFile === true && !allows(request.headers.get('origin'))) return foreignPage
    const { team } = caller
    const asker = askerOf(caller, route, admitted)
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
      asker,
      at,
    }
    const call = toCall(request, known, transport)
    return { value: await route.run(call), headers: rateHeaders(admitted.rate) }
  }
}

/** Endpoint of a request that begins something, as the activity names it; it is there when it was refused, too. */
function endpointOf({ method, group, takesFile = false, kind }: Route): string | undefined {
  // A file is read as a page is, and is in the activity as one.
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
  /** The keys that the schema knows, in the body and in its `scrapeOptions`. */
  readonly keys: ReadonlySet<string>
  readonly pageKeys: ReadonlySet<string>
  readonly engineChecks: boolean
  readonly takesFile: boolean
  readonly maxEntries: number | undefined
}

function describeBody(
  { input, engineChecks = false, takesFile = false, maxEntries }: Route,
  schemas: Schemas,
): Body | undefined {
  const schema = input?.(schemas)
  if (!schema) return undefined
  const fields = fieldsOf(schema)
  const { scrapeOptions } = fields
  const pageKeys = new Set(scrapeOptions ? Object.keys(fieldsOf(scrapeOptions)) : [])
  return { schema, engineChecks, takesFile, maxEntries, keys: new Set(Object.keys(fields)), pageKeys }
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
  if (takesBytes) return readWhole(request, most.fileBytes)
  return body ? readInput(request, body, most) : noInput
}

/** A body of any endpoint. Rows and engines read keys from it before a schema has checked it. */
const anyObject = z.looseObject({})

async function readInput(
  request: Request,
  { schema, keys, pageKeys, engineChecks, takesFile, maxEntries }: Body,
  { bodyBytes, fileBytes }: Most,
): Promise<Read | Refusal> {
  // A file that came before is named in JSON.
  const read = await (takesFile && !isJson(request)
    ? readFile(request, fileBytes)
    : readJson(request, bodyBytes, maxEntries))
  if (!('value' in read)) return read
  check(anyObject, read.value)
  const given = withinOptions(withoutClientKeys(read.value, keys), pageKeys)
  return { ...read, value: engineChecks ? given : check(schema, given) }
}

/** Clients put their labels into the options of each page as well. */
function withinOptions(body: unknown, keys: ReadonlySet<string>): unknown {
  if (keys.size === 0 || typeof body !== 'object' || body === null || !('scrapeOptions' in body)) return body
  return { ...body, scrapeOptions: withoutClientKeys(body.scrapeOptions, keys) }
}
