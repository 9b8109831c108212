import { check } from '@harvestman/core/schema'
import { z } from 'zod'

import type { Refusal } from './answer.ts'
import { notKnown, type Authenticate } from './auth.ts'
import { readJson, type Read } from './body.ts'
import { withoutClientKeys } from './client-keys.ts'
import type { Found } from './dispatch.ts'
import { badId } from './refusals.ts'
import type { Route, RouteCall, Schemas } from './route.ts'

export interface Work extends Pick<RouteCall, 'engine' | 'settings' | 'describe'> {
  readonly authenticate: Authenticate
  /** The largest body that is read, in bytes. */
  readonly bodyBytes: number
}

export type CarryOut = (request: Request, found: Found) => Promise<Read | Refusal>

const nobody = { team: '' }
const noInput: Read = { value: undefined }

/** Gives the function that does what a row describes: who asks, for what, and then the work. */
export function makeCarryOut(routes: readonly Route[], work: Work): CarryOut {
  const { authenticate, bodyBytes, ...context } = work
  const bodies = new Map(routes.map((route) => [route, describeBody(route, context.engine.schemas)]))
  return async (request, { route, ids }) => {
    const caller = route.isOpen ? nobody : await authenticate(request)
    if (!caller) throw notKnown(request)
    const jobs = readIds(ids)
    if (!jobs) return badId
    const body = bodies.get(route)
    const read = body ? await readInput(request, body, bodyBytes) : noInput
    if (!('value' in read)) return read
    const call = { ...context, input: read.value, ids: jobs, team: caller.team, signal: request.signal }
    return { value: await route.run(call) }
  }
}

const jobId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** The ids as the engine writes them; nothing when one is no id at all. */
function readIds(ids: Found['ids']): Found['ids'] | undefined {
  const entries = Object.entries(ids).map(([name, id]) => [name, id.toLowerCase()] as const)
  return entries.every(([, id]) => jobId.test(id)) ? Object.fromEntries(entries) : undefined
}

interface Body {
  readonly schema: z.ZodType
  /** The keys that the schema knows. */
  readonly keys: ReadonlySet<string>
  readonly engineChecks: boolean
}

function describeBody({ input, engineChecks = false }: Route, schemas: Schemas): Body | undefined {
  const schema = input?.(schemas)
  if (!schema) return undefined
  const object = schema instanceof z.ZodPipe ? schema.in : schema
  return { schema, engineChecks, keys: new Set(object instanceof z.ZodObject ? Object.keys(object.shape) : []) }
}

async function readInput(
  request: Request,
  { schema, keys, engineChecks }: Body,
  most: number,
): Promise<Read | Refusal> {
  const read = await readJson(request, most)
  if (!('value' in read)) return read
  const given = withoutClientKeys(read.value, keys)
  return { value: engineChecks ? given : check(schema, given) }
}
