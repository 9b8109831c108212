// Loads a page with the cookies and storage of a profile.
import { type Json, publicMessage } from '@harvestman/ports'
import type { Page } from '../plugin/parts.ts'
import type { ScrapeContext } from './context.ts'

/**
 * Loads a page. With the option `profile`, it starts with the saved state, and saves the state after its actions. Pages of
 * jobs run at the same time, so they never save it. A state that cannot be saved is a warning of the page. Rejects as `load`
 * does, and if the profile cannot be read.
 */
export async function loadWithProfile(
  context: ScrapeContext,
  load: (context: ScrapeContext) => Promise<Page>,
): Promise<Page> {
  const { plan, caller, kit } = context
  const { profile, actions } = plan.request
  if (!profile) return load(context)
  const { state } = await kit.profiles.open(caller.team, profile.name, false)
  const saves = profile.saveChanges && actions.length > 0 && caller.group === undefined && plan.mayKeep
  const { state: changed, ...page } = await load({ ...context, profile: { state, saves } })
  if (changed === undefined) return page
  const warning = await save(profile.name, changed, context)
  return warning === undefined ? page : { ...page, warnings: [...page.warnings, warning] }
}

/** Returns a warning if the state could not be saved. */
async function save(name: string, state: Json, { caller: { team }, kit }: ScrapeContext): Promise<string | undefined> {
  try {
    const profile = await kit.profiles.open(team, name, true)
    try {
      await profile.save(state)
    } finally {
      await profile.close()
    }
    return undefined
  } catch (error) {
    return `The profile "${name}" was not saved. ${publicMessage(error)}`
  }
}
