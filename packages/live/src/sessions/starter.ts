import { randomUUID } from 'node:crypto'

import { EngineError, type LiveBrowser } from '@harvestman/ports'
import { makeSemaphore } from '@harvestman/toolbox/semaphore'
import type { InteractRequest } from '../requests.ts'
import type { CreditHold, OpenProfile } from '@harvestman/core/plugin'
import { sessionPrice } from '../price.ts'
import { makeTaskRunner } from '../task/run.ts'
import type { LiveKit } from '../kit.ts'
import { makeLiveSession, type LiveSession, type OpenSession, type SessionUsage } from './session.ts'
import { sessionOver, type SessionRecords, type SessionEnd } from './records.ts'
import type { SessionOwners } from './owners.ts'
import { openBrowser, type BrowserOpening } from './open-browser.ts'
import type { ConfinableBrowser } from '../task/confinement.ts'
import type { SessionTeams } from './teams.ts'
import { makeBeginnings, type Beginnings } from './beginnings.ts'
import { runLastingWork } from './lasting.ts'
import { makeTokens } from './tokens.ts'

// Minimum time between updates of a record, in milliseconds, so that not every call writes to the store.
const writesEvery = 5_000
const savesWithin = 5_000
const waitsWithin = 10_000

/** The lifetime of a session and the limits that apply to it. */
export type SessionLife = Pick<InteractRequest, 'ttl' | 'activityTtl' | 'record' | 'recordSession'> & {
  /** Maximum number of live browsers of the team, if it has its own limit. */
  readonly most?: number | undefined
  /** The API key used, for usage statistics by key. */
  readonly key?: string | undefined
}

export interface SessionOpening extends SessionLife, BrowserOpening {
  readonly streamWebView: boolean
  readonly scrapeId?: string
}

/** A session that has a slot. */
interface Begun {
  readonly id: string
  /** Releases the slot. */
  readonly free: () => void
  /** Ends the session's unit of work. Resolves when all wrappers of the work have finished. */
  readonly over: () => Promise<void>
}

interface OpenOfTeam extends OpenSession {
  readonly team: string
}

/** Opens live browsers within the limits of an engine and maintains their records. */
export interface Starter {
  start(opening: SessionOpening, signal: AbortSignal): Promise<LiveSession>
  get(id: string): OpenOfTeam | undefined
  ofScrape(scrapeId: string, team: string): LiveSession | undefined
  close(): Promise<void>
}

/**
 * Creates the starter of an engine's live browsers. `start` waits at most 10 seconds for a slot. It rejects with
 * `too_many_sessions` if none becomes free or the team has its maximum, with `insufficient_credits` if the team cannot pay for
 * the whole lifetime, and with `closed` after `close`, which stops all of them.
 */
export function makeStarter(
  kit: LiveKit,
  records: SessionRecords,
  owners: Pick<SessionOwners, 'note'>,
  teams: Pick<SessionTeams, 'note'>,
): Starter {
  const open = new Map<string, OpenOfTeam>()
  const beginnings = makeBeginnings(kit.clock)
  const begin = makeBegin(kit, records, owners, teams, { open, abandoned: beginnings.abandoned })
  const places = makePlaces(kit)

  const start: Starter['start'] = async (opening, caller) => {
    const signal = AbortSignal.any([caller, beginnings.closing])
    let free: (() => void) | undefined
    try {
      free = await places.take(opening.team, signal)
      const begun = { ...opening, id: randomUUID(), free }
      return await runLastingWork(kit, workOf(begun), (over) => begin({ ...begun, over }, signal))
    } catch (error) {
      free?.()
      await opening.openProfile?.close()
      throw error
    }
  }
  return {
    start: (opening, signal) => beginnings.run(() => start(opening, signal)),
    get: (id) => open.get(id),
    ofScrape: (scrapeId, team) =>
      [...open.values()].find((one) => one.team === team && one.session.scrapeId === scrapeId)?.session,
    close: async () => {
      const reason = new EngineError('closed', 'The engine was closed.')
      const ended = beginnings.close(reason)
      places.clear(reason)
      await ended
      await stopAll([...open.values()], kit)
    },
  }
}

/** Milliseconds that ending live browsers may take while the engine is closed. */
const stopsWithin = 10_000

/**
 * Ends all live browsers. One that fails to end, or does not end in time, is reported, and is left to the engines that search
 * for lost ones.
 */
async function stopAll(open: readonly OpenOfTeam[], { clock, onFault }: LiveKit): Promise<void> {
  const done = new AbortController()
  const late = clock.sleep(stopsWithin, done.signal).then(
    () => 'late' as const,
    () => 'late' as const,
  )
  const end = async ({ session, team }: OpenOfTeam): Promise<void> => {
    try {
      if ((await Promise.race([session.stop('closed'), late])) !== 'late') return
      onFault(new Error(`The live browser did not end within ${stopsWithin / 1_000} seconds.`), team, session.id)
    } catch (error) {
      onFault(error, team, session.id)
    }
  }
  try {
    await Promise.all(open.map(end))
  } finally {
    done.abort()
  }
}

function makeBegin(
  kit: LiveKit,
  records: SessionRecords,
  owners: Pick<SessionOwners, 'note'>,
  teams: Pick<SessionTeams, 'note'>,
  { open, abandoned }: Pick<Beginnings, 'abandoned'> & { readonly open: Map<string, OpenOfTeam> },
) {
  const { clock } = kit
  const hands = { ask: kit.llm && makeTaskRunner(kit.llm, clock) }
  const notes = makeNotes(kit, records)
  return async (opening: SessionOpening & Begun, signal: AbortSignal): Promise<LiveSession> => {
    const { id, team, scrapeId, openProfile, streamWebView, key } = opening
    const [ttl, idle] = [opening.ttl * 1_000, opening.activityTtl * 1_000]
    const onFault = (fault: unknown): void => kit.onFault(fault, team, id)
    const createdAt = clock.now()
    const times = { createdAt, expiresAt: createdAt + ttl, lastActivity: createdAt }
    const knownUntil = times.expiresAt + kit.life
    const hold = kit.hold({ team, task: sessionTask(id), until: times.expiresAt, key, knownUntil })
    await hold.reserve(sessionPrice(ttl, false))
    let live: ConfinableBrowser
    try {
      await records.add(team, { id, scrapeId, owner: kit.owner, streamWebView, key, ...times }, opening.most)
      await teams.note(team, id)
      await owners.note([id, scrapeId ?? []].flat(), kit.life)
      live = await openBrowser(kit, opening, onFault, { signal, abandoned })
    } catch (error) {
      await notes.forget(team, id)
      await hold.release()
      throw error
    }
    const opened = makeLiveSession({
      ...{ id, scrapeId, live, streamWebView, clock, ...hands, sandbox: kit.sandbox, tokens: makeTokens() },
      ...{ createdAt, ttl, idle, onFault },
      touched: (at) => notes.touch(team, id, at),
      beforeAsking: () => notes.beforeAsking(team, id, hold, sessionPrice(ttl, true)),
      ended: async (usage) => {
        try {
          await opening.over()
          const isSaved = !openProfile || usage.reason === 'lost' || (await saveProfile(openProfile, live))
          await openProfile?.close()
          open.delete(id)
          const end = await notes.finish({ team, id, createdAt }, usage, hold)
          return isSaved ? end : { ...end, saved: false }
        } finally {
          opening.free()
        }
      },
    })
    open.set(id, { team, ...opened })
    return opened.session
  }
}

/** Describes a session as one unit of the engine's work, with the options of its pages. */
function workOf({ id, team, record, recordSession, profile, openProfile }: SessionOpening & Pick<Begun, 'id'>) {
  const { headers, mobile, location, skipTlsVerification } = profile
  const options = { headers, mobile, location, skipTlsVerification, profile: openProfile && {} }
  return { id, team, request: { record, recordSession, ...options }, isOfJob: false }
}

/** Limits the number of live browsers and assigns free slots to teams in turns. */
function makePlaces({ clock, maxOpen }: LiveKit) {
  const semaphore = makeSemaphore({ limit: maxOpen, spare: Math.ceil(maxOpen / 4) })
  return {
    /** Waits at most 10 seconds for a slot, because sessions can last long. Rejects with `too_many_sessions` after that. */
    take: async (team: string, signal: AbortSignal): Promise<() => void> => {
      const [late, done] = [new AbortController(), new AbortController()]
      void clock.sleep(waitsWithin, done.signal).then(
        () => late.abort(full(maxOpen)),
        () => undefined,
      )
      return semaphore.acquire(team, AbortSignal.any([signal, late.signal])).finally(() => done.abort())
    },
    clear: (reason: EngineError): void => semaphore.clear(reason),
  }
}

/** Maintains the records of sessions. */
function makeNotes({ clock, hasEnded }: LiveKit, records: SessionRecords) {
  const written = new Map<string, number>()
  return {
    touch: (team: string, id: string, at: number): void => {
      if (at - (written.get(id) ?? 0) < writesEvery) return
      written.set(id, at)
      records.change(team, id, (record) => ({ ...record, lastActivity: at, hasBegun: true })).catch(() => undefined)
    },
    finish: async (
      { team, id, createdAt }: { readonly team: string; readonly id: string; readonly createdAt: number },
      { ranPrompt, reason }: SessionUsage,
      hold: CreditHold,
    ): Promise<SessionEnd> => {
      written.delete(id)
      const at = clock.now()
      const duration = at - createdAt
      const end = { at, duration, credits: sessionPrice(duration, ranPrompt), reason }
      // Charged first: if the record is not updated, the next engine charges the session again, which has no effect.
      await hold.settle(end.credits)
      const record = await records.change(team, id, (one) => (one.end ? one : { ...one, lastActivity: at, end }))
      hasEnded(end, team, id)
      return record?.end ?? end
    },
    /** Stores the higher price before the model is called, because an engine that settles the session later needs it. */
    beforeAsking: async (team: string, id: string, hold: CreditHold, most: number): Promise<void> => {
      let ranPromptBefore = false
      const record = await records.change(team, id, (one) => {
        ranPromptBefore = one.wasAsked === true
        return one.end ? one : { ...one, wasAsked: true }
      })
      if (record?.end) throw sessionOver()
      try {
        await hold.reserve(most)
      } catch (error) {
        if (!ranPromptBefore) await records.change(team, id, (one) => ({ ...one, wasAsked: false }))
        throw error
      }
    },
    /** Marks a session that could not be opened as ended: it is free, and its scrape may be tried again. */
    forget: (team: string, id: string): Promise<unknown> => {
      const at = clock.now()
      return records.change(team, id, (one) => ({ ...one, scrapeId: undefined, end: { at, duration: 0, credits: 0 } }))
    },
  }
}

/** Returns the ledger key of a session, the same for every engine that settles it. */
export function sessionTask(id: string): string {
  return `session/${id}`
}

/** Saves a profile. Returns false if that fails; the old state remains. */
async function saveProfile(kept: OpenProfile, live: LiveBrowser): Promise<boolean> {
  try {
    await kept.save(await live.save(AbortSignal.timeout(savesWithin)))
    return true
  } catch {
    return false
  }
}

function full(most: number): EngineError {
  return new EngineError(
    'too_many_sessions',
    `${most} live browsers are open, which is the maximum. Stop one, or try again later.`,
  )
}
