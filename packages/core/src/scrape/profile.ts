// Loads a page with the cookies and storage of a profile.
import { cookiesIn } from '@harvestman/net'
import { isRecord, type Json, publicMessage } from '@harvestman/ports'
import type { Page } from '../plugin/parts.ts'
import type { LoggedInMarker } from '../plugin/profiles.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { ScrapeContext } from './context.ts'
import type { ReadPage } from './made.ts'
import { hasChoice } from './plan.ts'
import type { ProfileChanges, VisitingProfile } from './visit.ts'

interface Loaded {
  readonly page: Page
  readonly profile: VisitingProfile
}

type Requested = NonNullable<ScrapeRequest['profile']>

/**
 * Loads a page with the profile of its request: it starts with the saved state. With `saveChanges`, the result has the changed
 * one. Pages of jobs and searches run at the same time, so they never change it. Rejects if the profile cannot be read.
 */
export async function loadWithProfile(
  { name, saveChanges, loggedInMarker }: Requested,
  context: ScrapeContext,
  load: (context: ScrapeContext) => Promise<Page>,
): Promise<Loaded> {
  const { plan, caller, kit, steps } = context
  const opened = await kit.profiles.open(caller.team, name, false)
  const { state, version } = opened
  const marker = loggedInMarker ?? opened.loggedInMarker
  const knowsHost = isOfHost(state, plan.url)
  const isAlone = caller.group === undefined && !caller.isOneOfMany
  const saves = saveChanges && isAlone && plan.mayKeep
  const needsScripts = isForBrowser(state, plan.url, marker)
  if (needsScripts && hasChoice(plan)) {
    const reason = `The profile has storage of ${plan.url.origin}, which only a browser can use.`
    steps?.note({ step: 'login', outcome: 'browser first', reason })
  }
  const { state: changed, ...page } = await load({ ...context, profile: { state, saves, needsScripts } })
  const changes = changed === undefined ? undefined : { state: changed, version, loggedInMarker }
  return { page, profile: { name, knowsHost, marker, isSaved: false, changes } }
}

/**
 * Saves the changed cookies and storage of a page in its profile. A failure is a warning of a page with actions, which may have
 * logged in, and otherwise a step of `explain`.
 */
export async function saveProfile(read: ReadPage, context: ScrapeContext): Promise<ReadPage> {
  const { page, profile } = read.visit
  if (!profile?.changes) return read
  const { changes, ...rest } = profile
  const { plan, steps } = context
  const hasActed = plan.actions.length > 0
  const problem = await save(profile.name, changes, context)
  steps?.note({
    step: 'login',
    outcome: problem === undefined ? 'saved' : 'not saved',
    ...(problem && { reason: problem }),
  })
  const isSaved = hasActed && problem === undefined
  const warnings = hasActed && problem !== undefined ? [...page.warnings, problem] : page.warnings
  return { ...read, visit: { ...read.visit, page: { ...page, warnings }, profile: { ...rest, isSaved } } }
}

/**
 * Returns whether only a browser can use a state: its login may be in local storage. With a marker, the page itself shows
 * whether it is logged in.
 */
function isForBrowser(state: Json | undefined, url: URL, marker: LoggedInMarker | undefined): boolean {
  if (state === undefined) return false
  return !hasCookies(state) || (!marker && hasStorageOf(state, url))
}

/** Returns whether a state is of the known form, with a list of cookies. */
function hasCookies(state: Json): boolean {
  return isRecord(state) && Array.isArray(state['cookies'])
}

/** Returns whether a state has local storage of the origin of a URL. */
function hasStorageOf(state: Json | undefined, { origin }: URL): boolean {
  const storage = isRecord(state) ? state['storage'] : undefined
  return isRecord(storage) && Object.hasOwn(storage, origin)
}

/** Returns whether a state has cookies or storage of the host of a URL. Any state of an unknown form counts. */
function isOfHost(state: Json | undefined, url: URL): boolean {
  if (state === undefined) return false
  if (!hasCookies(state) || hasStorageOf(state, url)) return true
  return cookiesIn(state).some(({ domain }) => {
    const host = domain.replace(/^\./, '')
    return url.hostname === host || url.hostname.endsWith(`.${host}`)
  })
}

/** Returns the problem if the state could not be saved. */
async function save(
  name: string,
  { state, version, loggedInMarker }: ProfileChanges,
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
