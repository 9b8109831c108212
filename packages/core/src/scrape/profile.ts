// Loads a page with the cookies and storage of a profile.
import { cookieChanges, cookiesIn, keyOf, withChanges, type CookieChange } from '@harvestman/net'
import { isRecord, type Json, publicMessage } from '@harvestman/ports'
import type { Page } from '../plugin/parts.ts'
import type { LoggedInMarker, OpenProfile } from '../plugin/profiles.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { ScrapeContext } from './context.ts'
import type { ReadPage } from './made.ts'
import { hasChoice } from './plan.ts'
import { loginState } from './readings.ts'
import type { ProfileInUse, VisitingProfile } from './visit.ts'

interface Loaded {
  readonly page: Page
  readonly profile: VisitingProfile
}

type Requested = NonNullable<ScrapeRequest['profile']>
/** Local storage by origin. */
type Storage = Readonly<Record<string, Json | undefined>>

/**
 * Loads a page with the profile of its request: it starts with the saved state, or with that of the previous attempt. Rejects if
 * the profile cannot be read.
 */
export async function loadWithProfile(
  requested: Requested,
  context: ScrapeContext,
  load: (context: ScrapeContext) => Promise<Page>,
): Promise<Loaded> {
  const inUse = context.profile ?? (await openProfile(requested, context))
  const { state: _, ...page } = await load({ ...context, profile: inUse })
  return { page, profile: { inUse, isSaved: false } }
}

/** Opens a profile. Pages of jobs and searches run at the same time, so they never change it. */
async function openProfile(
  { name, saveChanges, loggedInMarker }: Requested,
  { plan, caller, kit, steps }: ScrapeContext,
): Promise<ProfileInUse> {
  const opened = await kit.profiles.open(caller.team, name, false)
  const saved = { state: opened.state, version: opened.version }
  const marker = loggedInMarker ?? opened.loggedInMarker
  const isAlone = caller.group === undefined && !caller.isOneOfMany
  const needsScripts = isForBrowser(saved.state, plan.url, marker)
  if (needsScripts && hasChoice(plan)) {
    const reason = `The profile has storage of ${plan.url.origin}, which only a browser can use.`
    steps?.note({ step: 'login', outcome: 'browser first', reason })
  }
  let { state } = saved
  return {
    ...{ name, marker, newMarker: loggedInMarker, needsScripts, saved },
    knowsHost: isOfHost(saved.state, plan.url),
    saves: saveChanges && isAlone && plan.mayKeep,
    get state() {
      return state
    },
    advance: (page, block) => {
      if (page.state === undefined) return
      // A refused request often deletes the login, although another loader or proxy can still use it.
      const isRefused = plan.actions.length === 0 && (block !== undefined || page.status >= 400)
      const now = kit.clock.now()
      const set = (): readonly CookieChange[] =>
        cookieChanges(state, page.state, now).filter(({ isDeleted }) => !isDeleted)
      state = isRefused ? (withChanges(state, set(), now) ?? state) : page.state
    },
  }
}

/**
 * Saves the changed cookies and storage of a page in its profile, if the page does not contradict the login. A plain page
 * changes only cookies of a saved profile, of hosts that it knows. A failure is a warning of a page with actions, which may have
 * logged in, and otherwise a step of `explain`.
 */
export async function saveProfile(read: ReadPage, hasMarker: boolean, context: ScrapeContext): Promise<ReadPage> {
  const { page, profile } = read.visit
  if (!profile?.inUse.saves) return read
  const { inUse } = profile
  const hasActed = context.plan.actions.length > 0
  const changes = changesOf(inUse, hasActed, context)
  if (hasActed ? inUse.state === inUse.saved.state : changes.length === 0) return read
  const doubt = hasMarker ? undefined : doubtOf(read, changes, hasActed)
  const why = doubt ?? (await save(inUse, changes, hasActed, context))
  const problem = why === undefined ? undefined : `The profile "${inUse.name}" was not saved. ${why}`
  context.steps?.note({
    step: 'login',
    outcome: problem === undefined ? 'saved' : 'not saved',
    ...(problem !== undefined && { reason: problem }),
  })
  const isSaved = hasActed && problem === undefined
  const warnings = hasActed && problem !== undefined ? [...page.warnings, problem] : page.warnings
  return { ...read, visit: { ...read.visit, page: { ...page, warnings }, profile: { inUse, isSaved } } }
}

function changesOf({ saved, state }: ProfileInUse, hasActed: boolean, { kit }: ScrapeContext): readonly CookieChange[] {
  const changes = cookieChanges(saved.state, state, kit.clock.now())
  if (hasActed) return changes
  const hosts = hostsOf(saved.state)
  return changes.filter(({ cookie }) => {
    const host = hostOf(cookie.domain)
    return hosts.some((known) => isWithin(host, known) || isWithin(known, host))
  })
}

/** Returns why the cookies of a page may not have the login, or `undefined` if they may be saved. */
function doubtOf(
  { visit, content }: ReadPage,
  changes: readonly CookieChange[],
  hasActed: boolean,
): string | undefined {
  const { url, status, block } = visit.page
  if (block) return block.reason
  // The status is that of the page before the actions.
  if (hasActed) return undefined
  if (status >= 400) return `${url} responded with ${status}.`
  const hidesLogin = content.values[loginState.field] === undefined && changes.some(({ isDeleted }) => isDeleted)
  return hidesLogin ? `${url} deletes cookies and is not an HTML page, so it does not show the login.` : undefined
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
  return Object.hasOwn(storageOf(state), origin)
}

/** Returns whether a state has cookies or storage of the host of a URL. Any state of an unknown form counts. */
function isOfHost(state: Json | undefined, url: URL): boolean {
  if (state === undefined) return false
  if (!hasCookies(state) || hasStorageOf(state, url)) return true
  return cookiesIn(state).some(({ domain }) => isWithin(url.hostname, hostOf(domain)))
}

/** Returns the hosts of the cookies and the storage of a state. */
function hostsOf(state: Json | undefined): readonly string[] {
  const hosts = [
    ...cookiesIn(state).map(({ domain }) => hostOf(domain)),
    ...Object.keys(storageOf(state)).flatMap((origin) => URL.parse(origin)?.hostname ?? []),
  ]
  return [...new Set(hosts)]
}

function hostOf(domain: string): string {
  return domain.replace(/^\./, '')
}

/** Returns whether a host is another one or a subdomain of it. */
function isWithin(host: string, other: string): boolean {
  return host === other || host.endsWith(`.${other}`)
}

/** Saves the changes in the profile as it is now. Returns the problem if they could not be saved. */
async function save(
  inUse: ProfileInUse,
  changes: readonly CookieChange[],
  hasActed: boolean,
  { caller: { team }, kit }: ScrapeContext,
): Promise<string | undefined> {
  try {
    const profile = await kit.profiles.open(team, inUse.name, true)
    try {
      const isLatest = profile.version === inUse.saved.version
      if (!isLatest && !(profile.state !== undefined && hasCookies(profile.state) && isMergeable(inUse)))
        return 'It was changed while the page was loaded. Repeat the scrape.'
      const whole = hasActed && isLatest
      const next = whole ? inUse.state : merged(profile, inUse, changes, kit.clock.now())
      if (next !== undefined) await profile.save(next, inUse.newMarker)
    } finally {
      await profile.close()
    }
    return undefined
  } catch (error) {
    return publicMessage(error)
  }
}

function isMergeable({ state }: ProfileInUse): boolean {
  return state !== undefined && hasCookies(state)
}

/** Returns the current state of a profile with the changes of a page. Nothing that was set meanwhile is deleted. */
function merged(
  { state: current }: OpenProfile,
  { saved, state }: ProfileInUse,
  changes: readonly CookieChange[],
  now: number,
): Json | undefined {
  const changedMeanwhile = new Set(cookieChanges(saved.state, current, now).map(({ cookie }) => keyOf(cookie)))
  const own = changes.filter(({ cookie, isDeleted }) => !isDeleted || !changedMeanwhile.has(keyOf(cookie)))
  const next = withChanges(current, own, now)
  const storage = changedStorage(saved.state, state)
  if (Object.keys(storage).length === 0) return next
  const base = next ?? current
  return isRecord(base) ? { ...base, storage: { ...storageOf(base), ...storage } } : next
}

/** Returns the storage of the origins whose storage was changed. */
function changedStorage(before: Json | undefined, after: Json | undefined): Storage {
  const old = storageOf(before)
  const changed = Object.entries(storageOf(after)).filter(
    ([origin, values]) => JSON.stringify(values) !== JSON.stringify(old[origin]),
  )
  return Object.fromEntries(changed)
}

function storageOf(state: Json | undefined): Storage {
  const storage = isRecord(state) ? state['storage'] : undefined
  return isRecord(storage) ? storage : {}
}
