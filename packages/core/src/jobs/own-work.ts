// Jobs of features without pages, endpoints or price. They have the leases, the takeover and the retries of all jobs.
import { type Clock, EngineError, type Json } from '@harvestman/ports'
import { backoffAfter } from '@harvestman/toolbox/backoff'
import { faultText } from '@harvestman/toolbox/guarded'
import { makeSemaphore } from '@harvestman/toolbox/semaphore'

import type { OwnRun, OwnWork, OwnWorkInput, StartedWork } from '../plugin/own-work.ts'
import { createJob } from './new-job.ts'
import type { Opening } from './log/facts.ts'
import { readCheckpoint } from './log/checkpoint.ts'
import { internalKind } from './log/internal.ts'
import type { JobKit } from './kit.ts'
import type { JobKind, RunContext, Strategy } from './run/strategy.ts'
import type { Worker } from './worker/worker.ts'

/** The kinds of jobs that features of an engine define for themselves. */
export interface OwnKinds {
  define<Request extends Json>(input: OwnWorkInput<Request>, parts: OwnParts): OwnWork<Request>
  /** Resolves when none of their work runs in this engine. Stop their jobs first. */
  idle(): Promise<void>
}

/** Parts of an engine that start these jobs. */
export interface OwnParts {
  readonly kit: JobKit
  readonly worker: Pick<Worker, 'push'>
  /** Starts the worker of this engine, if it has one. */
  readonly beAtWork: () => Promise<void>
}

const pauses = { first: 5_000, longest: 300_000 }

/**
 * Creates the list of the kinds of jobs that features define for their own work. `define` adds a kind to `kinds`, and throws
 * `invalid_request` for a name that is taken. Work that fails is repeated after 5 seconds to 5 minutes.
 */
export function makeOwnKinds(kinds: JobKind[], clock: Clock): OwnKinds {
  const running = new Set<Promise<void>>()
  const track = (work: Promise<void>): Promise<void> => {
    const settled = work.catch(() => undefined).finally(() => running.delete(settled))
    running.add(settled)
    return work
  }
  return {
    define: <Request extends Json>(input: OwnWorkInput<Request>, { kit, worker, beAtWork }: OwnParts) => {
      const kind = internalKind(input.kind)
      if (kinds.some(({ name }) => name === kind))
        throw new EngineError(
          'invalid_request',
          `The engine already has internal work named ${input.kind}. Choose another name.`,
        )
      kinds.push(kindOf(kind, input, clock, track))
      return {
        start: async (request, { team, key }): Promise<StartedWork> => {
          const opening = await createJob(
            { kind, team, about: kind, request, notes: [], left: 0, credits: 0, idempotencyKey: `${kind}/${key}` },
            kit,
          )
          const checkpoint = await readCheckpoint(kit.store, opening.id)
          const hasEnded = checkpoint !== undefined && checkpoint.tally.status !== 'scraping'
          if (!hasEnded) {
            await beAtWork()
            await worker.push(opening)
          }
          return { hasEnded }
        },
        resume: beAtWork,
      }
    },
    idle: async () => void (await Promise.all(running)),
  }
}

function kindOf<Request extends Json>(
  kind: string,
  { atOnce, run }: OwnWorkInput<Request>,
  clock: Clock,
  track: (work: Promise<void>) => Promise<void>,
): JobKind {
  const permits = makeSemaphore({ limit: atOnce })
  const once = async (request: Request, team: string, asked: OwnRun): Promise<void> => {
    const release = await permits.acquire(team, asked.signal)
    try {
      await run(request, asked)
    } finally {
      release()
    }
  }
  const untilDone = async ({ request, team }: Opening, { signal, warn }: RunContext): Promise<void> => {
    for (let failures = 0; ; failures += 1) {
      try {
        // Cast: this kind has opened the job with such a request.
        return await once(request as Request, team, { signal, failures })
      } catch (error) {
        signal.throwIfAborted()
        warn(`A job of the kind ${kind} continues later: ${faultText(error)}`)
        await clock.sleep(backoffAfter(failures + 1, pauses), signal)
      }
    }
  }
  return {
    name: kind,
    publicName: kind,
    open: (opening, context) => workOnly(() => track(untilDone(opening, context))),
  }
}

/** Returns the strategy of a job that visits no pages. The job ends as soon as its work has succeeded. */
function workOnly(work: () => Promise<void>): Strategy {
  return {
    fold: () => undefined,
    explore: work,
    take: () => undefined,
    putBack: () => undefined,
    prepare: () => ({ outcome: {} }),
    receive: () => ({}),
    left: () => 0,
  }
}
