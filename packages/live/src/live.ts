// The plugin: what `engine.live` is, and how it is made of what its engine has.
import {
  check,
  defineFeature,
  definePlugin,
  definePort,
  type FeatureCall,
  type FeatureKit,
  llmPort,
  missingPort,
  proxiesPort,
  sessionsPort,
} from '@harvestman/core/plugin'
import { codeLanguages, type CodeLanguage, type Stop } from '@harvestman/ports'
import { faultText } from '@harvestman/ports/adapters'
import type { z } from 'zod'

import { type GivenOptions, type LiveOptions, liveOptionsSchema } from './options.ts'
import { sandboxPort } from './ports.ts'
import { sessionSchema } from './requests.ts'
import type { SessionOwner } from './sessions/owners.ts'
import type { SessionEnd, SessionRecord } from './sessions/records.ts'
import type { LiveSession, SessionEntry } from './sessions/session.ts'
import { makeLiveSessions, type LiveSessions } from './sessions/sessions.ts'

/** Call for the live browser of a scrape: the caller, and the lifetime of a new one. */
export interface OfScrapeCall extends FeatureCall {
  /** Seconds that a new one lives in all; 600 when absent. */
  readonly ttl?: number | undefined
  /** Seconds that a new one lives without a call; 300 when absent. */
  readonly activityTtl?: number | undefined
  /** True to record what a new one loads, under its id. */
  readonly record?: boolean | undefined
  /** False to keep no video of a new one, where the engine has replays of sessions. Default: true. */
  readonly recordSession?: boolean | undefined
}

/** Request for a live browser that no scrape has begun. */
export type OpenInput = Readonly<z.input<typeof sessionSchema>>

type OfTeam = Pick<FeatureCall, 'team'>

/** The live browsers of an engine. Everything rejects with `not_configured` where the plugin was given no `sessions`. */
export interface Live extends AsyncDisposable {
  /** The live browser of a scrape that was kept: a new one, brought to where the scrape had ended, or the one that is open. */
  ofScrape(scrapeId: string, call?: OfScrapeCall): Promise<LiveSession>
  /** A live browser that no scrape has begun. */
  open(request?: OpenInput, call?: FeatureCall): Promise<LiveSession>
  /** One that is open here, by its id. */
  find(id: string, call?: OfTeam): Promise<LiveSession>
  /** Lists those of a team, also those that have ended, the newest first. */
  list(call?: OfTeam): Promise<readonly SessionRecord[]>
  /** Reads the record of one, also when it has ended. */
  record(id: string, call?: OfTeam): Promise<SessionRecord>
  /** Ends one, and tells how it ended, also when it had ended before. */
  stop(id: string, call?: OfTeam): Promise<SessionEnd>
  /** The same for the live browser of a scrape. */
  stopOfScrape(scrapeId: string, call?: Pick<FeatureCall, 'team' | 'scopes'>): Promise<SessionEnd>
  /** The languages that code for a live browser may be in: none without a sandbox that works. */
  languages(): Promise<readonly CodeLanguage[]>
  /** Deletes a profile. */
  removeProfile(name: string, call?: OfTeam): Promise<void>
  /** For servers: the live browser that a token opens, and what its holder may do with it. */
  enter(id: string, token: string): Promise<SessionEntry>
  /** For servers: where a live browser of another process is; nothing when it is here or not known. */
  findOwner(id: string): Promise<SessionOwner | undefined>
  /** For servers: tells the other processes where this one is asked, until it is stopped. */
  announce(url: string): Promise<Stop>
}

/** The live browsers of an engine, for other features. */
export const livePort = definePort<Live>({
  name: 'live',
  help: 'live browsers: plugins: [live({ sessions })]',
})

/** Live browsers for an engine: `createEngine({ plugins: [live({ sessions: puppeteerSessions() })] })` has `engine.live`. */
export function live(options: LiveOptions = {}) {
  const given = check(liveOptionsSchema, options)
  const feature = defineFeature({
    name: 'live',
    activities: { interact: 'interact', browser: 'interact' },
    usesReplays: given.sessions !== undefined,
    open: (kit) => openLive(kit, given),
    close: async (value) => value[Symbol.asyncDispose](),
  })
  return definePlugin({ name: 'live', gives: { sessions: given.sessions }, features: [feature] })
}

/** The plugin that `live` makes. */
export type LivePlugin = ReturnType<typeof live>

function openLive(kit: FeatureKit, { sandbox, limits }: GivenOptions): Live {
  const sessions = kit.port(sessionsPort)
  if (sandbox) kit.provide(sandboxPort, sandbox)
  const all =
    sessions &&
    makeLiveSessions({
      ...kit,
      ...{ sessions, sandbox, llm: kit.port(llmPort), proxies: kit.port(proxiesPort) },
      ...{ most: limits.sessions, mostOfTeam: limits.teamSessions, life: kit.keep.results },
      hasEnded: ({ at, duration: ms, credits }, team, id) =>
        kit.observe({ kind: 'session.ended', credits, ms, team, id, at }),
      onFault: (fault, team, id) =>
        kit.observe({ kind: 'fault', where: 'connection', message: faultText(fault), team, id, at: kit.clock.now() }),
    })
  const made = {
    ...doors(kit, () => {
      if (all) return all
      throw missingPort(sessionsPort, 'engine.live')
    }),
    languages: async () => (sandbox ? (sandbox.languages?.() ?? codeLanguages) : []),
    [Symbol.asyncDispose]: async () => {
      await all?.close()
      await sandbox?.close()
    },
  }
  if (all) kit.provide(livePort, made)
  return made
}

function doors(kit: FeatureKit, all: () => LiveSessions): Omit<Live, 'languages' | typeof Symbol.asyncDispose> {
  const teamOf = ({ team = kit.team }: OfTeam): string => team
  return {
    ofScrape: (scrapeId, call = {}) =>
      kit.admit({ endpoint: 'interact', input: {}, idOf: ({ id }) => id }, call, async ({ team, key, limits }) => {
        const { ttl, activityTtl, record, recordSession } = call
        const life = {
          ...check(sessionSchema, { ttl, activityTtl, record, recordSession }),
          most: limits?.browsers,
          key,
        }
        return all().ofScrape(scrapeId, { team, scopes: call.scopes }, life, call.signal)
      }),
    open: (request = {}, call = {}) =>
      kit.admit({ endpoint: 'browser', input: request, idOf: ({ id }) => id }, call, async ({ team, key, limits }) =>
        all().open({ ...check(sessionSchema, request), most: limits?.browsers, key }, team, call.signal),
      ),
    find: async (id, call = {}) => all().find(id, teamOf(call)),
    list: async (call = {}) => all().list(teamOf(call)),
    record: async (id, call = {}) => all().record(id, teamOf(call)),
    stop: async (id, call = {}) => all().stop(id, teamOf(call)),
    stopOfScrape: async (scrapeId, call = {}) =>
      all().stopOfScrape(scrapeId, { team: teamOf(call), scopes: call.scopes }),
    removeProfile: async (name, call = {}) => all().removeProfile(name, teamOf(call)),
    enter: async (id, token) => all().enter(id, token),
    findOwner: async (id) => all().owners.find(id),
    announce: async (url) => all().owners.announce(url),
  }
}
