import { randomUUID } from 'node:crypto'

import type { Activity, ActivityEndpoint } from '../activity/activity.ts'
import { EngineError } from '@harvestman/ports'
import { targetOf } from '../lib/target.ts'

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

/** Notes a request for a job, which begins when it is there. */
export async function noteJob<J extends { readonly id: string }>(
  activity: Activity,
  endpoint: ActivityEndpoint,
  input: unknown,
  asker: RequestCaller,
  work: () => Promise<J>,
): Promise<J> {
  try {
    const job = await work()
    noteRequest(activity, endpoint, input, asker, job.id).begun()
    return job
  } catch (error) {
    noteRequest(activity, endpoint, input, asker).refused(error)
    throw error
  }
}
