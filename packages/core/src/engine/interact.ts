import { noteJob, noteRequest } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import type { Engine, EngineOptions } from './types.ts'
import { EngineError, type LLM, type Sessions, type Store } from '@harvestman/ports'
import { makeInteract, type Interact } from '../interact/interact.ts'
import type { InteractKit } from '../interact/kit.ts'
import { faultText } from '@harvestman/ports/adapters'
import { isOwnerGone } from '../jobs/worker/owner.ts'
import { llmPort, sessionsPort } from '../plugin/core-ports.ts'
import type { EngineLimits } from '../schema/engine-options.ts'
import type { sessionSchema } from '../schema/interact.ts'
import { check } from '../schema/problems.ts'
import type { Kit } from '../scrape/kit.ts'

export interface InteractOptions {
  readonly store: Store
  readonly limits: EngineLimits
  /** How a page came to be that was loaded by itself, or by a job. */
  readonly findReplay: InteractKit['findReplay']
  /** Milliseconds that a live browser is listed when it is gone: as long as its scrape is known. */
  readonly life: number
}

/** The live browsers of an engine; nothing where it has none. */
export function openInteract(kit: Kit, { sandbox }: EngineOptions, options: InteractOptions): Interact | undefined {
  const sessions = kit.ports.get(sessionsPort.name) as Sessions | undefined
  if (!sessions) return undefined
  const { store, limits, life, findReplay } = options
  return makeInteract({
    sessions,
    sandbox,
    llm: kit.ports.get(llmPort.name) as LLM | undefined,
    proxies: kit.proxies,
    sends: kit.sends,
    actions: kit.registry.actions,
    policies: kit.policies,
    store,
    clock: kit.clock,
    ledger: kit.ledger,
    owner: kit.engine,
    isGone: isOwnerGone,
    most: limits.sessions,
    mostOfTeam: limits.teamSessions,
    life,
    findReplay,
    onFault: (fault, team, id) =>
      kit.observer({ kind: 'fault', where: 'connection', message: faultText(fault), team, id, at: kit.clock.now() }),
  })
}

type Doors = Pick<Engine, 'interact' | 'openSession' | 'liveBrowsers'>

export function interactDoors(
  live: Interact | undefined,
  schema: typeof sessionSchema,
  gate: RequestGate,
  someTeam: string,
): Doors {
  const here = (): Interact => {
    if (live) return live
    throw new EngineError('not_configured', `interact needs ${sessionsPort.help}.`, {
      details: { port: sessionsPort.name },
    })
  }
  return {
    interact: async (scrapeId, call = {}) => {
      const { team = someTeam, signal, ttl, activityTtl, key, apiVersion } = call
      const asker = { team, key, apiVersion }
      try {
        const { limits } = await gate.admit({ group: 'interact' }, { ...call, team })
        const lives = { ...check(schema, { ttl, activityTtl }), most: limits?.browsers, key }
        const session = await here().ofScrape(scrapeId, team, lives, signal)
        noteRequest(gate, 'interact', {}, asker, scrapeId).begun()
        return session
      } catch (error) {
        noteRequest(gate, 'interact', {}, asker).refused(error)
        throw error
      }
    },
    openSession: (request = {}, call = {}) =>
      noteJob(gate, { group: 'interact', endpoint: 'browser' }, request, call, async ({ team, key, limits }) =>
        here().open({ ...check(schema, request), most: limits?.browsers, key }, team, call.signal),
      ),
    liveBrowsers: async () => here(),
  }
}
