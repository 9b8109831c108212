import type { EngineError } from '../errors/error.ts'
import type { AnyDocument } from './document.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'

/** Everything a scrape leaves behind, in order; each step is keyed by the task and safe to repeat. */
export async function settle(document: AnyDocument, plan: Plan, caller: Caller, kit: Kit): Promise<void> {
  if (plan.mayKeep && caller.keep) await kit.results.keep(caller, { document })
}

/** Failures are remembered as well: whoever asks for the scrape later learns why there is no document. */
export async function settleFailure(error: EngineError, plan: Plan, caller: Caller, kit: Kit): Promise<void> {
  if (!plan.mayKeep || !caller.keep) return
  const { code, message } = error
  // The failure itself is what the caller must hear of, even when it cannot be remembered.
  await kit.results.keep(caller, { error: { code, message } }).catch(() => undefined)
}
