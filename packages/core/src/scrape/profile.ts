// Loads a page with the cookies and storage of a profile.
import { type Json, publicMessage } from '@harvestman/ports'
import type { Page } from '../plugin/parts.ts'
import type { ScrapeContext } from './context.ts'

/** A loaded page, and whether the profile of its request was saved after its actions. */
interface Loaded {
  readonly page: Page
  readonly savedProfile: boolean
}

/**
 * Loads a page. With the option `profile`, it starts with the saved state and, with `saveChanges`, saves the state after its
 * actions. Pages of jobs run at the same time, so they never save it. A state that cannot be saved is a warning of the page; a
 * profile that cannot be read rejects.
 */
export async function loadWithProfile(
  context: ScrapeContext,
  load: (context: ScrapeContext) => Promise<Page>,
): Promise<Loaded> {
  const { plan, caller, kit } = context
  const { profile, actions } = plan.request
  if (!profile) return { page: await load(context), savedProfile: false }
  const { state, version } = await kit.profiles.open(caller.team, profile.name, false)
  const saves = profile.saveChanges && actions.length > 0 && caller.group === undefined && plan.mayKeep
  const { state: changed, ...page } = await load({ ...context, profile: { state, saves } })
  if (changed === undefined) return { page, savedProfile: false }
  const warning = await save(profile.name, { state: changed, version }, context)
  if (warning === undefined) return { page, savedProfile: true }
  return { page: { ...page, warnings: [...page.warnings, warning] }, savedProfile: false }
}

/** Returns a warning if the state could not be saved. */
async function save(
  name: string,
  { state, version }: { readonly state: Json; readonly version: string | undefined },
  { caller: { team }, kit }: ScrapeContext,
): Promise<string | undefined> {
  const failed = (why: string): string => `The profile "${name}" was not saved. ${why}`
  try {
    const profile = await kit.profiles.open(team, name, true)
    try {
      if (profile.version !== version) return failed('It was changed while the page was loaded. Repeat the scrape.')
      await profile.save(state)
    } finally {
      await profile.close()
    }
    return undefined
  } catch (error) {
    return failed(publicMessage(error))
  }
}
