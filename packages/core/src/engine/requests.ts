// The steps of every request, of any kind: the gates let it in, and its outcome is noted.
import { randomUUID } from 'node:crypto'

import { EngineError } from '@harvestman/ports'
import type { RequestGate } from '../gates/open-gates.ts'
import { subjectOf, targetOf } from '../lib/target.ts'
import type { Admission, Asked, TeamCall } from '../plugin/admission.ts'
import type { RequestPermits } from '@harvestman/coordination'
import type { JobCall } from './job-call.ts'
import { someTeam } from './some-team.ts'

/** The caller of a request, and the API version used. */
export interface RequestCaller {
  readonly team: string
  readonly key?: string | undefined
  readonly apiVersion?: string | undefined
  /** Text before the target, such as the name of a monitor. */
  readonly label?: string | undefined
}

/** Notes one request: when its work begins, or when it is refused before. */
export interface Noting {
  readonly begun: () => void
  readonly refused: (error: unknown) => void
}

export function noteRequest(
  gate: Pick<RequestGate, 'note'>,
  endpoint: string,
  input: unknown,
  { team, key, apiVersion, label }: RequestCaller,
  id: string = randomUUID(),
): Noting {
  const asked = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>
  let isNoted = asked['zeroDataRetention'] === true
  const note = (refused?: string): void => {
    if (isNoted) return
    isNoted = true
    gate.note(() => {
      const pages = Array.isArray(asked['urls']) ? subjectOf(asked['urls'] as readonly unknown[]) : undefined
      const target = targetOf(asked['url'] ?? asked['query'] ?? pages ?? asked['prompt'], label)
      return {
        id,
        team,
        endpoint,
        ...(target !== undefined && { target }),
        ...(apiVersion !== undefined && { apiVersion }),
        ...(key !== undefined && { key }),
        ...(refused !== undefined && { refused }),
      }
    })
  }
  return {
    begun: () => note(),
    refused: (error) => {
      if (EngineError.is(error)) note(error.code)
    },
  }
}

/** Door of a request: the group its requests are counted in, and their name in the activity. */
export interface Door {
  readonly group: Asked['group']
  readonly endpoint: string
}

/** A caller that was let in. */
export type AdmittedCall = Pick<JobCall, 'key' | 'idempotencyKey' | 'filesAt' | 'label'> & {
  readonly team: string
  readonly limits: Admission['limits']
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
  gate: RequestGate,
  { group, endpoint, idOf }: NotedDoor<Result>,
  input: unknown,
  call: JobCall,
  work: (caller: AdmittedCall) => Promise<Result>,
): Promise<Result> {
  const { team = someTeam, key, idempotencyKey, filesAt, apiVersion, label } = call
  const asker = { team, key, apiVersion, label }
  try {
    const { limits } = await gate.admit({ group }, { ...call, team })
    const result = await work({ team, key, idempotencyKey, filesAt, limits, label })
    noteRequest(gate, endpoint, input, asker, idOf?.(result)).begun()
    return result
  } catch (error) {
    noteRequest(gate, endpoint, input, asker).refused(error)
    throw error
  }
}

/** Question of a server before it reads the body of a request. */
export interface AskedOfServer extends Asked {
  /** Endpoint that a refusal is noted under; without it, a refusal is not noted. */
  readonly endpoint?: string | undefined
  /** One page is asked for: refused as well while too many of its team wait for a permit. */
  readonly isPage?: boolean | undefined
}

/** Caller through a server, with its limits. */
export type ServerCall = TeamCall & Pick<JobCall, 'apiVersion'>

/** Lets a request that a server took in, or refuses it. */
export type ServerDoor = (asked: AskedOfServer, call: ServerCall) => Promise<Admission>

/** The door of an engine for servers: a request is let in or refused, and noted when it is refused. */
export function serverDoor(gate: RequestGate, requests: Pick<RequestPermits, 'check'>): ServerDoor {
  return async ({ endpoint, isPage, ...asked }, call) => {
    const { team = someTeam, key, apiVersion } = call
    try {
      const admitted = await gate.admit(asked, { ...call, team })
      if (isPage) requests.check(team, admitted.limits ?? {})
      return admitted
    } catch (error) {
      if (endpoint !== undefined) noteRequest(gate, endpoint, {}, { team, key, apiVersion }).refused(error)
      throw error
    }
  }
}
