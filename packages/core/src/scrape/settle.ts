import { errorMessage } from '@harvestman/toolbox/error-message'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { KeepContext, KeeperContext } from '../plugin/field.ts'
import { portsFor } from './derive.ts'
import type { Derived } from './made.ts'
import type { ScrapeContext } from './context.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'
import type { SeenVisit } from './visit.ts'
import { replayContext, type Outcome } from './results.ts'
import type { ReplayContext } from '../plugin/feature.ts'

/** Lasting effects of an operation: a scrape, a page of a job, a map. */
export interface Settlement {
  /** True if anything about it may be stored. */
  readonly mayKeep: boolean
  /** Effects of its formats and of the keepers. */
  readonly effects?: readonly Effect[]
  /** Outcome that can be fetched later by its id. */
  readonly outcome?: Outcome
}

/** A lasting effect of a format or a keeper. */
export interface Effect {
  /** Name of the format or keeper, for messages. */
  readonly of: string
  readonly run: () => Promise<void>
}

/**
 * Applies all lasting effects in order, and stores the outcome if the caller keeps results. Each step is keyed by the task and
 * idempotent. Does nothing if nothing may be stored. A failed effect is only reported; rejects if the outcome cannot be stored.
 */
export async function applySettlement(done: Settlement, caller: Caller, kit: Kit): Promise<void> {
  const { mayKeep, effects = [], outcome } = done
  if (!mayKeep) return
  for (const [index, { of, run }] of effects.entries()) {
    // Each may hash or encode a long document.
    if (index > 0) await nextTurn()
    // A failed effect must not lose the document.
    await run().catch((error: unknown) => tellLoss(of, error, caller, kit))
  }
  if (outcome && caller.keep) await kit.results.keep(caller, outcome)
}

/**
 * Returns the options for loading the page again in a live browser. `undefined` unless a feature uses them, because they
 * contain the headers of the request. If the profile was saved after the actions, they are not repeated: the saved state has
 * their effect, and a form to log in may be gone.
 */
export function replayOf(
  { request }: Pick<Plan, 'request'>,
  { registry }: Pick<Kit, 'registry'>,
  visit?: SeenVisit,
): ReplayContext | undefined {
  if (!registry.features.some(({ usesReplays }) => usesReplays)) return undefined
  return replayContext(visit?.profile?.isSaved ? { ...request, url: visit.page.url, actions: [] } : request)
}

/**
 * Returns the effects of the formats of a scrape and of the engine's keepers, such as storing a value. Runs none of them.
 */
export function effectsOf(context: ScrapeContext, visit: SeenVisit, derived: Derived): Effect[] {
  const { url, status, headers } = visit.page
  const page = { url, status, headers, revisited: visit.revisited }
  return [...formatEffects(context, page, derived), ...keeperEffects(context, page, derived)]
}

function keeperEffects(
  { plan: { keepers, request }, caller: { team, task, id, group }, kit, time }: ScrapeContext,
  page: KeepContext['page'],
  { ofKeepers }: Derived,
): Effect[] {
  return keepers.flatMap((keeper) => {
    const values = ofKeepers.get(keeper.name)
    if (values === undefined) return []
    const store = kit.pluginStores.of(kit.registry.ownerOf(keeper), team, true)
    const context: KeeperContext = {
      request,
      page,
      team,
      task,
      id,
      job: group,
      store,
      clock: kit.clock,
      signal: time.signal,
    }
    return [{ of: `keeper ${keeper.name}`, run: async () => keeper.keep(values, context) }]
  })
}

function formatEffects(
  { plan, caller, kit, time }: ScrapeContext,
  page: KeepContext['page'],
  { fields, whole, needs }: Derived,
): Effect[] {
  const { team, task, id, group } = caller
  const { request, mayKeep } = plan
  return plan.formats.flatMap(({ format, options }) => {
    const { name, keep } = format
    const value = whole.has(name) ? whole.get(name) : fields[name]
    if (!keep || value === undefined) return []
    const store = kit.pluginStores.of(kit.registry.ownerOf(format), team, mayKeep)
    const context: KeepContext = {
      options,
      needs: needs.get(name) ?? {},
      ports: portsFor(format, kit.ports),
      request,
      page,
      team,
      task,
      id,
      job: group,
      store,
      clock: kit.clock,
      signal: time.signal,
    }
    return [{ of: `format ${name}`, run: async () => keep(value, context) }]
  })
}

function tellLoss(of: string, error: unknown, { team, id }: Caller, { observer, clock }: Kit): void {
  const why = errorMessage(error)
  observer({
    kind: 'warning',
    message: `The ${of} could not store its data: ${why}`,
    team,
    id,
    at: clock.now(),
  })
}
