// Loads a page with the cookies and storage of a profile.
import { type Json, publicMessage } from '@harvestman/ports'
import type { Page } from '../plugin/parts.ts'
import type { LoggedInMarker } from '../plugin/profiles.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { ScrapeContext } from './context.ts'
import type { VisitingProfile } from './visit.ts'

interface Loaded {
  readonly page: Page
  readonly profile: VisitingProfile
}

type Requested = NonNullable<ScrapeRequest['profile']>

/**
 * Loads a page with the profile of its request: it starts with the saved state and, with `saveChanges`, saves the state after its
 * actions. Pages of jobs and searches run at the same time, so they never save it. A state that cannot be saved is a warning of
 * the page; a profile that cannot be read rejects.
 */
export async function loadWithProfile(
  { name, saveChanges, loggedInMarker }: Requested,
  context: ScrapeContext,
  load: (context: ScrapeContext) => Promise<Page>,
): Promise<Loaded> {
  const { plan, caller, kit } = context
  const opened = await kit.profiles.open(caller.team, name, false)
  const { state, version } = opened
  const marker = loggedInMarker ?? opened.loggedInMarker
  const knowsHost = isOfHost(state, plan.url)
  const isAlone = caller.group === undefined && !caller.isOneOfMany
  const saves = saveChanges && plan.actions.length > 0 && isAlone && plan.mayKeep
  const { state: changed, ...page } = await load({ ...context, profile: { state, saves } })
  const profile = { name, knowsHost, marker, isSaved: false }
  if (changed === undefined) return { page, profile }
  const warning = await save(name, { state: changed, version, loggedInMarker }, context)
  if (warning === undefined) return { page, profile: { ...profile, isSaved: true } }
  return { page: { ...page, warnings: [...page.warnings, warning] }, profile }
}

/** Returns whether a state has cookies or storage of the host of a URL. Any state of an unknown form counts. */
function isOfHost(state: Json | undefined, { hostname, origin }: URL): boolean {
  if (state === undefined) return false
  const { cookies, storage } = (state ?? {}) as { readonly cookies?: unknown; readonly storage?: unknown }
  if (!Array.isArray(cookies)) return true
  if (typeof storage === 'object' && storage !== null && Object.hasOwn(storage, origin)) return true
  return cookies.some(({ domain = '' }: { readonly domain?: string }) => {
    const host = domain.replace(/^\./, '')
    return hostname === host || hostname.endsWith(`.${host}`)
  })
}

interface Changes {
  readonly state: Json
  /** The version that the page was loaded with. */
  readonly version: string | undefined
  readonly loggedInMarker: LoggedInMarker | undefined
}

/** Returns a warning if the state could not be saved. */
async function save(
  name: string,
  { state, version, loggedInMarker }: Changes,
  { caller: { team }, kit }: ScrapeContext,
): Promise<string | undefined> {
  const failed = (why: string): string => `The profile "${name}" was not saved. ${why}`
  try {
    const profile = await kit.profiles.open(team, name, true)
    try {
      if (profile.version !== version) return failed('It was changed while the page was loaded. Repeat the scrape.')
      await profile.save(state, loggedInMarker)
    } finally {
      await profile.close()
    }
    return undefined
  } catch (error) {
    return failed(publicMessage(error))
  }
}
