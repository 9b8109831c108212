import { EngineError, type Json } from '@harvestman/ports'

import type { Line } from '../fence/switch.ts'
import type { View } from '../tab/view.ts'
import { isDoneWithin } from '../lib/race.ts'
import type { LiveTabs } from './tabs.ts'

/** What a profile keeps. */
interface State {
  readonly cookies: readonly Json[]
  /** Local storage by origin. */
  readonly storage: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const mostBytes = 5_000_000
/** Milliseconds for the storage of the page that is shown. A page that does not respond must not cost the cookies. */
const readsWithin = 2_000

/** Cookies of all sites, and the local storage of the pages that are open and of those that were kept before. */
export async function saveState(
  line: Line,
  contextId: string,
  liveTabs: LiveTabs,
  before: Json | undefined,
): Promise<Json> {
  const { result } = await line.ask('Storage.getCookies', { browserContextId: contextId })
  const { storage: known = {} } = readState(before)
  let here: State['storage'] = {}
  await isDoneWithin(
    readsWithin,
    storageHere(liveTabs).then((found) => (here = found)),
  )
  const state = { cookies: (result?.['cookies'] ?? []) as Json[], storage: { ...known, ...here } }
  if (JSON.stringify(state).length > mostBytes)
    throw new EngineError(
      'response_too_large',
      `What the profile keeps is larger than ${mostBytes} bytes. Clear the storage of the pages.`,
    )
  return state
}

async function storageHere(liveTabs: LiveTabs): Promise<State['storage']> {
  try {
    const page = await liveTabs.page()
    const expression = 'JSON.stringify([location.origin, { ...localStorage }])'
    const { result } = await page.send('Runtime.evaluate', { expression, returnByValue: true })
    const [origin, items] = JSON.parse(String((result as { value?: unknown }).value)) as [
      string,
      Record<string, string>,
    ]
    return /^https?:/.test(origin) ? { [origin]: items } : {}
  } catch {
    // Some pages have no storage.
    return {}
  }
}

/** Sets cookies at once, and the storage of each origin when a page of it is opened for the first time. */
export async function bringState(view: View, line: Line, state: Json | undefined): Promise<void> {
  const { cookies = [], storage = {} } = readState(state)
  if (cookies.length > 0)
    await line.ask('Storage.setCookies', { browserContextId: view.place.contextId, cookies: cookies.map(toSet) })
  if (Object.keys(storage).length === 0) return
  const source = `{
    const kept = ${JSON.stringify(storage)}[location.origin]
    try {
      if (kept) {
        for (const [name, value] of Object.entries(kept)) if (localStorage.getItem(name) === null) localStorage.setItem(name, value)
      }
    } catch {}
  }`
  await view.session.send('Page.addScriptToEvaluateOnNewDocument', { source })
}

function readState(state: Json | undefined): Partial<State> {
  return state !== null && typeof state === 'object' && !Array.isArray(state) ? (state as Partial<State>) : {}
}

const settable =
  'name value domain path secure httpOnly sameSite expires priority sourceScheme sourcePort partitionKey'.split(' ')

function toSet(cookie: Json): Record<string, Json | undefined> {
  const given = cookie as Readonly<Record<string, Json | undefined>>
  return Object.fromEntries(
    settable
      .filter((name) => given[name] !== undefined && !(name === 'expires' && Number(given[name]) < 0))
      .map((name) => [name, given[name]]),
  )
}
