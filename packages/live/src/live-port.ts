// What `engine.live` is.
import { definePort, type FeatureCall } from '@harvestman/core/plugin'
import type { CodeLanguage, Stop } from '@harvestman/ports'
import type { z } from 'zod'

import type { sessionSchema } from './requests.ts'
import type { SessionOwner } from './sessions/owners.ts'
import type { SessionEnd, SessionRecord } from './sessions/records.ts'
import type { LiveSession, SessionEntry } from './sessions/session.ts'

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

/** The team of a call. */
export type OfTeam = Pick<FeatureCall, 'team'>

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
