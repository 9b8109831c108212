import { randomUUID } from 'node:crypto'

import { pickProxy, proxyOutcome, proxySession, type FeatureCall } from '@harvestman/core/plugin'
import { EngineError, type Proxy, type ProxyRequest } from '@harvestman/ports'
import type { SessionRequest } from '../requests.ts'
import type { LiveKit } from '../kit.ts'
import { openedProfile } from '../profiles/opened.ts'
import type { LiveSession, SessionEntry } from './session.ts'
import { profileOfReplay, replayScrape } from './replay.ts'
import { makeStarter, sessionTask, type SessionLife, type Starter } from './starter.ts'
import { makeSessionOwners, type SessionOwners } from './owners.ts'
import { makeSessionRecords, sessionOver, type SessionEnd, type SessionRecord, type SessionRecords } from './records.ts'
import { shareByKey } from './shared-work.ts'
import { makeSessionTeams } from './teams.ts'

/** The team of the caller and the scopes of its API key. */
export type Caller = Pick<FeatureCall, 'scopes'> & { readonly team: string }

/** The live browsers of one engine. */
export interface LiveSessions {
  /** Returns the live browser of a scrape: the open one, or a new one in which the scrape is repeated. */
  ofScrape(scrapeId: string, caller: Caller, life: SessionLife, signal?: AbortSignal): Promise<LiveSession>
  open(
    request: SessionRequest & Pick<SessionLife, 'most' | 'key'>,
    team: string,
    signal?: AbortSignal,
  ): Promise<LiveSession>
  find(id: string, team: string): Promise<LiveSession>
  /** Ends the live browser of a scrape. Returns its duration and price, also if it had already ended. */
  stopOfScrape(scrapeId: string, caller: Caller): Promise<SessionEnd>
  stop(id: string, team: string): Promise<SessionEnd>
  list(team: string): Promise<readonly SessionRecord[]>
  record(id: string, team: string): Promise<SessionRecord>
  /** Returns the live browser for a token, and the rights of the token. Throws `forbidden` if the token is invalid. */
  enter(id: string, token: string): SessionEntry
  /** The live browsers of other processes. */
  readonly owners: Pick<SessionOwners, 'find' | 'announce'>
  close(): Promise<void>
}

/** The default of the option `location`. */
const country = 'US'
const plainProfile = { mobile: false, blockAds: false, skipTlsVerification: false }
const never = new AbortController().signal

/**
 * Creates the live browsers of an engine. Opening one rejects with `too_many_sessions` at a limit, for a scrape also with
 * `session_over` if its browser has ended and `conflict` if its steps were not stored. Finding or stopping one rejects with
 * `not_found`, `forbidden` (of another team) or `conflict` (in another engine); finding one that has ended with `session_over`,
 * while stopping it returns its end again. `enter` throws `forbidden` for an unknown browser and for a wrong token alike.
 */
export function makeLiveSessions(kit: LiveKit): LiveSessions {
  const { store, clock, owner, isGone, profiles } = kit
  const records = makeSessionRecords({
    ...{ store, clock, isGone, most: kit.maxPerTeam, life: kit.life },
    settle: (team, { id, key }, credits) => kit.ledger.settle({ team, task: sessionTask(id), credits, key }),
  })
  const teams = makeSessionTeams(store, records)
  const owners = makeSessionOwners({ store, owner, isGone })
  const starter = makeStarter(kit, records, owners, teams)
  const stopWatching = teams.watch()
  const book = makeBook(kit, records, starter, owners)

  return {
    ofScrape: makeOpening(kit, records, starter, book.away),
    open: async ({ profile, ...request }, team, signal = never) => {
      const session = proxySession(team, profile, randomUUID())
      return withProxy({ ...kit, signal }, { tier: 'basic', country, session }, 'unknown', async (proxy) => {
        const openProfile = profile && (await openedProfile(profiles, team, profile))
        const own = { ...plainProfile, headers: kit.headers, proxy }
        return starter.start({ ...request, team, profile: own, openProfile }, signal)
      })
    },
    find: book.find,
    stopOfScrape: async (scrapeId, caller) => book.stop(await book.recordOfScrape(scrapeId, caller)),
    stop: async (id, team) => book.stop(await book.record(id, team)),
    list: (team) => records.list(team),
    record: book.record,
    enter: (id, token) => {
      const entry = starter.get(id)?.enter(token)
      if (entry) return entry
      throw new EngineError('forbidden', 'This link to a live browser is invalid or has expired.')
    },
    owners,
    close: () => {
      stopWatching()
      return starter.close()
    },
  }
}

/** Starts a live browser with a proxy of its own, if there are proxies, and reports the outcome of a start without an error. */
async function withProxy(
  { proxies, signal }: Pick<LiveKit, 'proxies'> & { readonly signal: AbortSignal },
  request: ProxyRequest,
  outcome: 'ok' | 'unknown',
  start: (proxy: Proxy | undefined) => Promise<LiveSession>,
): Promise<LiveSession> {
  const proxy = proxies && (await pickProxy(proxies, request, signal))
  try {
    const session = await start(proxy)
    proxy?.report?.({ outcome })
    return session
  } catch (error) {
    // A failed page is the cause of the error that the steps could not be repeated.
    proxy?.report?.({ outcome: proxyOutcome(error instanceof Error ? (error.cause ?? error) : error) })
    throw error
  }
}

/** Opens the live browser of a scrape. Concurrent callers share one. */
function makeOpening(
  kit: LiveKit,
  records: SessionRecords,
  starter: Starter,
  away: (id: string) => Promise<EngineError>,
): LiveSessions['ofScrape'] {
  const share = shareByKey<LiveSession>()
  const begin = async (
    scrapeId: string,
    { team, scopes }: Caller,
    life: SessionLife,
    signal: AbortSignal,
  ): Promise<LiveSession> => {
    const context = await kit.findReplay(scrapeId, team, { scopes })
    const known = (await records.list(team)).find((one) => one.scrapeId === scrapeId)
    if (known?.end) throw sessionOver()
    if (known) throw await away(known.id)
    if (!context) throw noReplay()
    const tier = context.proxy === 'enhanced' ? 'enhanced' : 'basic'
    const { host } = new URL(context.url)
    const { profile, location } = context
    const request = { tier, country: location.country, host, session: proxySession(team, profile, scrapeId) } as const
    return withProxy({ ...kit, signal }, request, 'ok', async (proxy) => {
      const openProfile = profile && (await openedProfile(kit.profiles, team, profile))
      return starter.start(
        {
          ...life,
          team,
          scrapeId,
          openProfile,
          profile: { ...profileOfReplay(context, kit.headers), proxy },
          streamWebView: true,
          prepare: (live) => replayScrape(live, context, { ...kit, team }, signal),
        },
        signal,
      )
    })
  }

  return async (scrapeId, caller, life, signal = never) => {
    const { team, scopes } = caller
    // It may have been opened with another key, so each caller needs the scope of the scrape.
    if (scopes?.groups) await kit.findReplay(scrapeId, team, { scopes })
    const key = JSON.stringify([team, scrapeId])
    const open = starter.ofScrape(scrapeId, team)
    if (open) return open
    return share(key, signal, async (all) => {
      // A cancelled opening may have succeeded meanwhile.
      return starter.ofScrape(scrapeId, team) ?? begin(scrapeId, caller, life, all)
    })
  }
}

/** Looks up records and open sessions. */
function makeBook(kit: LiveKit, records: SessionRecords, starter: Starter, owners: SessionOwners) {
  /** Returns the error for a live browser that is not in this engine. */
  const away = async (id: string): Promise<EngineError> => {
    const other = await owners.find(id)
    return other && 'isGone' in other ? sessionOver() : elsewhere()
  }

  const recordOfScrape = async (scrapeId: string, { team, scopes }: Caller): Promise<SessionRecord> => {
    // Check the scrape first, so that the caller gets its error if it is missing or another team's.
    await kit.findReplay(scrapeId, team, { scopes })
    const record = (await records.list(team)).find((one) => one.scrapeId === scrapeId)
    if (!record) throw notThere()
    return record
  }

  const record = async (id: string, team: string): Promise<SessionRecord> => {
    const found = (await records.list(team)).find((one) => one.id === id)
    if (found) return found
    if (starter.get(id)) throw new EngineError('forbidden', 'This live browser belongs to another team.')
    throw notThere()
  }

  const stop = async ({ id, end }: SessionRecord): Promise<SessionEnd> => {
    if (end) return end
    const open = starter.get(id)
    if (!open) throw await away(id)
    return open.session.stop()
  }

  const find = async (id: string, team: string): Promise<LiveSession> => {
    const { end } = await record(id, team)
    const open = starter.get(id)
    if (end) throw sessionOver()
    if (!open) throw await away(id)
    return open.session
  }

  return { away, recordOfScrape, record, stop, find }
}

function notThere(): EngineError {
  return new EngineError('not_found', 'This live browser does not exist.')
}

function elsewhere(): EngineError {
  return new EngineError('conflict', 'This live browser runs in another engine. Send the request to that one.')
}

function noReplay(): EngineError {
  return new EngineError(
    'conflict',
    'The steps of this scrape were not stored, so no live browser can continue from it. Scrape it again, without zeroDataRetention, and retry.',
  )
}
