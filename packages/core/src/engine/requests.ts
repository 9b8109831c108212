// Steps that all requests share: admission by the gates, and a note for the activity log.
import { randomUUID } from 'node:crypto'

import { EngineError } from '@harvestman/ports'
import type { RequestGate } from '../gates/open-gates.ts'
import { describeUrls, describeTarget } from '../lib/target.ts'
import type { Admission, Asked, TeamCall } from '../plugin/admission.ts'
import type { RequestPermits } from '@harvestman/coordination'
import type { JobCall } from './job-call.ts'
import { someTeam } from './some-team.ts'

/** Caller of a request, with the API version that it uses. */
export interface RequestCaller {
  readonly team: string
  readonly key?: string | undefined
  readonly apiVersion?: string | undefined
  /** Prefix for the target in the activity log, such as the name of a monitor. */
  readonly label?: string | undefined
}

/** Notes a request in the activity log: either that its work has started, or that it was refused before. */
export interface Noting {
  readonly begun: () => void
  readonly refused: (error: unknown) => void
}

/**
 * Prepares the note of a request for the gates, such as an activity log. `begun` or `refused` writes it, at most once, and not
 * at all with `zeroDataRetention` or `lockdown`. `refused` ignores errors other than an `EngineError`.
 */
export function noteRequest(
  gate: Pick<RequestGate, 'note'>,
  endpoint: string,
  input: unknown,
  { team, key, apiVersion, label }: RequestCaller,
  id: string = randomUUID(),
): Noting {
  const asked = (typeof input === 'object' && input !== null ? input : {}) as Readonly<Record<string, unknown>>
  let isNoted = asked['zeroDataRetention'] === true || asked['lockdown'] === true
  const note = (refused?: string): void => {
    if (isNoted) return
    isNoted = true
    gate.note(() => {
      const pages = Array.isArray(asked['urls']) ? describeUrls(asked['urls'] as readonly unknown[]) : undefined
      const target = describeTarget(asked['url'] ?? asked['query'] ?? pages ?? asked['prompt'], label)
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

/** Endpoint group of a request for limits, and its name in the activity log. */
export interface RequestTarget {
  readonly group: Asked['group']
  readonly endpoint: string
}

/** Caller of an admitted request. */
export type AdmittedCall = Pick<JobCall, 'key' | 'idempotencyKey' | 'filesAt' | 'label'> & {
  readonly team: string
  readonly limits: Admission['limits']
}

/** A request whose result has an id. */
interface NotedTarget<Result> extends RequestTarget {
  /** Returns the id of the result. Default: a generated id. */
  readonly idOf?: ((result: Result) => string) | undefined
}

/**
 * Admits a request that starts a job, and notes it once the job exists. A refusal or a failure is rethrown, and noted with its
 * error code if it is an `EngineError`.
 */
export async function noteJob<J extends { readonly id: string }>(
  gate: RequestGate,
  target: RequestTarget,
  input: unknown,
  call: JobCall,
  work: (caller: AdmittedCall) => Promise<J>,
): Promise<J> {
  return noteWork(gate, { ...target, idOf: ({ id }) => id }, input, call, work)
}

/**
 * Admits a request, runs it and notes it. A refusal or a failure is rethrown, and noted with its error code if it is an
 * `EngineError`.
 */
export async function noteWork<Result>(
  gate: RequestGate,
  { group, endpoint, idOf }: NotedTarget<Result>,
  input: unknown,
  call: JobCall,
  work: (caller: AdmittedCall) => Promise<Result>,
): Promise<Result> {
  const { team = someTeam, key, idempotencyKey, filesAt, apiVersion, label } = call
  const caller = { team, key, apiVersion, label }
  try {
    const { limits } = await gate.admit({ group }, { ...call, team })
    const result = await work({ team, key, idempotencyKey, filesAt, limits, label })
    noteRequest(gate, endpoint, input, caller, idOf?.(result)).begun()
    return result
  } catch (error) {
    noteRequest(gate, endpoint, input, caller).refused(error)
    throw error
  }
}

/** Request of a server for admission, before it reads the body. */
export interface ServerRequest extends Asked {
  /** Endpoint name to note a refusal under. Without it, refusals are not noted. */
  readonly endpoint?: string | undefined
  /** True for a request that loads one page. It is also refused if too many of the team's requests wait for a permit. */
  readonly isPage?: boolean | undefined
}

/** Caller of a server, with its limits. */
export type ServerCall = TeamCall & Pick<JobCall, 'apiVersion'>

/** Admits a request of a server, or rejects. */
export type AdmitServerRequest = (asked: ServerRequest, call: ServerCall) => Promise<Admission>

/**
 * Creates `engine.admit`, which admits requests of servers. A refusal is rethrown, and noted if the request names its
 * `endpoint`. With `isPage`, it also rejects with `rate_limited` if too many requests of the team wait.
 */
export function makeAdmitServerRequest(gate: RequestGate, requests: Pick<RequestPermits, 'check'>): AdmitServerRequest {
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
