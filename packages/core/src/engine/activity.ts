import { randomUUID } from 'node:crypto'

import type { Activity, ActivityEndpoint } from '../activity/activity.ts'
import { EngineError } from '@harvestman/ports'
import { targetOf } from '../lib/target.ts'
import type { EndpointGroup, TeamLimits } from '../schema/team.ts'
import type { Admit } from '../plugin/admission.ts'
import type { JobCall } from './job-call.ts'
import { someTeam } from './some-team.ts'

/** Who asks, and through what. */
export interface RequestCaller {
  readonly team: string
  readonly key?: string | undefined
  readonly apiVersion?: string | undefined
}

/** Notes one request: when its work begins, or when it is refused before. */
export interface RequestNote {
  readonly begun: () => void
  /** With the error, or its code. */
  readonly refused: (why: unknown) => void
}

export function noteRequest(
  activity: Activity,
  endpoint: ActivityEndpoint,
  input: unknown,
  { team, key, apiVersion }: RequestCaller,
  id: string = randomUUID(),
): RequestNote {
  const asked = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>
  let isNoted = asked['zeroDataRetention'] === true
  const note = (refused?: string): void => {
    if (isNoted) return
    isNoted = true
    const [first] = Array.isArray(asked['urls']) ? (asked['urls'] as unknown[]) : []
    const target = targetOf(asked['url'] ?? asked['query'] ?? first ?? asked['prompt'])
    activity.note(team, {
      id,
      endpoint,
      ...(target !== undefined && { target }),
      ...(apiVersion !== undefined && { apiVersion }),
      ...(key !== undefined && { key }),
      ...(refused !== undefined && { refused }),
    })
  }
  return {
    begun: () => note(),
    refused: (why) => {
      if (typeof why === 'string') note(why)
      else if (EngineError.is(why)) note(why.code)
    },
  }
}

/** What each request passes: whether its team may have it, and where it is noted. */
export interface RequestGate {
  readonly activity: Activity
  readonly admit: Admit
}

/** Which door it is: what its requests are counted as, and what they are called in the activity. */
export interface Door {
  readonly group: EndpointGroup
  readonly endpoint: ActivityEndpoint
}

/** What is known of a caller that was let in. */
export type AdmittedCall = Pick<JobCall, 'key' | 'idempotencyKey' | 'filesAt'> & {
  readonly team: string
  readonly limits: TeamLimits | undefined
}

/** A door to something that is found again by an id. */
interface NotedDoor<Result> extends Door {
  /** The id of what came of a request; a made-up one when absent. */
  readonly idOf?: ((result: Result) => string) | undefined
}

/** Lets a request for a job in, and notes it: it begins when the job is there. */
export async function noteJob<J extends { readonly id: string }>(
  gate: RequestGate,
  door: Door,
  input: unknown,
  call: JobCall,
  work: (caller: AdmittedCall) => Promise<J>,
): Promise<J> {
  return noteWork(gate, { ...door, idOf: ({ id }) => id }, input, call, work)
}

/** Lets a request in, has it done and notes it, or notes with what it was refused. */
export async function noteWork<Result>(
  { activity, admit }: RequestGate,
  { group, endpoint, idOf }: NotedDoor<Result>,
  input: unknown,
  call: JobCall,
  work: (caller: AdmittedCall) => Promise<Result>,
): Promise<Result> {
  const { team = someTeam, key, idempotencyKey, filesAt, apiVersion } = call
  const asker = { team, key, apiVersion }
  try {
    const { limits } = await admit({ group }, { ...call, team })
    const result = await work({ team, key, idempotencyKey, filesAt, limits })
    noteRequest(activity, endpoint, input, asker, idOf?.(result)).begun()
    return result
  } catch (error) {
    noteRequest(activity, endpoint, input, asker).refused(error)
    throw error
  }
}
