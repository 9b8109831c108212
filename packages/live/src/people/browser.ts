// The live browser of a person, and the end of a request.
import { EngineError } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'

import type { LiveSession } from '../sessions/session.ts'
import type { PeopleKit } from './kit.ts'
import type { PersonRecord, PersonResult } from './records.ts'

/** The live browsers that people use, and the end of their requests. */
export interface PersonBrowsers {
  /** Opens the live browser of a request, unless it is open already. Rejects with `session_over` if the request has ended. */
  open(record: PersonRecord): Promise<PersonRecord>
  /** Returns the live browser of a request, if it is open in this engine. */
  find(record: PersonRecord): Promise<LiveSession | undefined>
  /**
   * Ends a request, or lets the engine with its live browser end it. With `done`, the profile has been saved before; rejects with
   * `browser_failed` if it cannot be saved, and the request stays open. Resolves to the request as it is stored.
   */
  finish(record: PersonRecord, result: PersonResult): Promise<PersonRecord>
}

/** Maximum lifetime of a live browser and time without a call, in seconds. The link opens another one afterwards. */
const [maxLife, maxIdle] = [1_800, 600]
const minLife = 30
const pollInterval = 1_000

/** Creates the manager of the live browsers that people use. */
export function makePersonBrowsers(kit: PeopleKit): PersonBrowsers {
  const { records } = kit
  const find: PersonBrowsers['find'] = async ({ team, browser }) =>
    browser &&
    kit
      .live()
      .find(browser.id, { team })
      .catch(() => undefined)
  const finish: PersonBrowsers['finish'] = async (record, result) => {
    if (record.end) return record
    const session = await find(record)
    if (session) {
      // The profile is saved when the browser ends, and must be there when the pages are loaded again.
      if (result === 'done' && (await session.stop()).saved === false) {
        await records.change(record.team, record.id, (one) => ({ ...one, wanted: undefined }))
        throw notSaved()
      }
      const ended = await end(record, result, kit)
      await session.stop()
      return ended
    }
    if (!(await isOpen(record, kit))) return end(record, result, kit)
    if (record.wanted) return record
    const want = (one: PersonRecord): PersonRecord => (one.wanted ? one : { ...one, wanted: result })
    return (await records.change(record.team, record.id, want)) ?? record
  }
  return {
    find,
    finish,
    open: async (record) => {
      if (record.end) throw requestEnded()
      if (await isOpen(record, kit)) return record
      const { team, id, url } = record
      const session = await openBrowser(record, kit)
      try {
        // The person can reload a page that is slow.
        await session.act({ type: 'goto', url }).catch(() => undefined)
        const browser = { id: session.id, viewToken: session.tokens.control }
        const changed = await records.change(team, id, (one) => ({ ...one, browser, wanted: undefined }))
        if (changed?.browser?.id !== session.id) throw requestEnded()
        watch(changed, session, { kit, finish }).catch((error: unknown) =>
          kit.warn(`A request to a person could not be ended: ${errorMessage(error)}`),
        )
        return changed
      } catch (error) {
        await session.stop()
        throw error
      }
    },
  }
}

function openBrowser(record: PersonRecord, { live, clock }: PeopleKit): Promise<LiveSession> {
  const { team, profile: name, expiresAt } = record
  const left = Math.floor((expiresAt - clock.now()) / 1_000)
  const ttl = Math.max(minLife, Math.min(left, maxLife))
  const life = { ttl, activityTtl: Math.min(ttl, maxIdle) }
  // A video would show what the person types.
  return live().open({ ...life, recordSession: false, profile: { name, saveChanges: true } }, { team })
}

async function isOpen({ team, browser }: PersonRecord, { live }: PeopleKit): Promise<boolean> {
  if (!browser) return false
  const known = await live()
    .record(browser.id, { team })
    .catch((error: unknown) => {
      if (EngineError.is(error) && error.code === 'not_found') return undefined
      throw error
    })
  return known !== undefined && !known.end
}

async function end(record: PersonRecord, result: PersonResult, kit: PeopleKit): Promise<PersonRecord> {
  const { team, id } = record
  const ended = { at: kit.clock.now(), result }
  const changed = await kit.records.change(team, id, (one) => ({ ...one, end: ended }))
  kit.changes.notify()
  return changed ?? { ...record, end: ended }
}

interface WatchKit {
  readonly kit: PeopleKit
  readonly finish: PersonBrowsers['finish']
}

/** Ends a request when its browser has returned to the page, was stopped, or another engine asks for it. */
async function watch(opened: PersonRecord, session: LiveSession, { kit, finish }: WatchKit): Promise<void> {
  const { team, id, url } = opened
  const isBack = watchReturn(session, url)
  const endIfNeeded = async (): Promise<void> => {
    const record = await kit.records.find(team, id)
    if (record?.end) await session.stop()
    else if (record?.wanted) await finish(record, record.wanted)
    else if (record && (await isBack())) await finish(record, 'done')
  }
  // Whatever fails is tried again, for example if the store is unreachable.
  while (!session.closed.aborted) {
    await endIfNeeded().catch(() => undefined)
    await kit.clock.sleep(pollInterval, AbortSignal.any([session.closed, kit.signal])).catch(() => undefined)
    if (kit.signal.aborted) return
  }
  const { reason, saved } = await session.stop()
  let isEnded = reason !== 'stopped' || saved === false
  while (!isEnded && !kit.signal.aborted) {
    isEnded = await end(opened, 'done', kit).then(
      () => true,
      () => false,
    )
    if (!isEnded) await kit.clock.sleep(pollInterval, kit.signal).catch(() => undefined)
  }
}

function notSaved(): EngineError {
  return new EngineError('browser_failed', 'The login could not be saved. Open the browser and log in again.')
}

function requestEnded(): EngineError {
  return new EngineError('session_over', 'This request to a person has ended.')
}

/**
 * Returns a function that tells whether the browser has returned to the page of the request after it was elsewhere, such as on a
 * login page. It must be there twice in a row, because pages may redirect.
 */
function watchReturn(session: LiveSession, requested: string): () => Promise<boolean> {
  let wasAway = false
  let times = 0
  return async () => {
    const url = await session.url().catch(() => undefined)
    if (url === undefined) return false
    const isThere = pageOf(url) === pageOf(requested)
    wasAway ||= !isThere
    times = isThere && wasAway ? times + 1 : 0
    return times > 1
  }
}

/** Returns a URL without its scheme, `www.`, slashes at the end of the path, and hash. */
function pageOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${search}`
}
