// The API of `engine.live`.
import { definePort, usableBrowsersPort, type FeatureCall, type UsableBrowsers } from '@harvestman/core/plugin'
import type { CodeLanguage, Stop } from '@harvestman/ports'
import type { z } from 'zod'

import type { sessionSchema } from './requests.ts'
import type { SessionOwner } from './sessions/owners.ts'
import type { SessionEnd, SessionRecord } from './sessions/records.ts'
import type { LiveSession, SessionEntry } from './sessions/session.ts'

/** Options for the live browser of a scrape: the caller, and settings that apply if a new one is opened. */
export interface OfScrapeCall extends FeatureCall {
  /** Maximum lifetime of a new browser, in seconds. Default: 600. */
  readonly ttl?: number | undefined
  /** Seconds without a call after which a new browser is closed. Default: 300. */
  readonly activityTtl?: number | undefined
  /** Whether to record the network traffic of a new browser, under its id. */
  readonly record?: boolean | undefined
  /** Whether to keep a video of a new browser, if the engine has session replays. Default: `true`. */
  readonly recordSession?: boolean | undefined
}

/** Options for a new live browser that does not belong to a scrape. */
export type OpenInput = Readonly<z.input<typeof sessionSchema>>

/** The team of a call. */
export type OfTeam = Pick<FeatureCall, 'team'>

/** The live browsers of an engine. All methods reject with `not_configured` if the plugin has no `sessions`. */
export interface Live extends AsyncDisposable, UsableBrowsers {
  /** Returns the live browser of a stored scrape: the open one, or a new one in which the scrape is repeated. */
  ofScrape(scrapeId: string, call?: OfScrapeCall): Promise<LiveSession>
  /** Opens a live browser that does not belong to a scrape. */
  open(request?: OpenInput, call?: FeatureCall): Promise<LiveSession>
  /** Returns a live browser that is open in this process. */
  find(id: string, call?: OfTeam): Promise<LiveSession>
  /** Lists the live browsers of a team, including ended ones, newest first. */
  list(call?: OfTeam): Promise<readonly SessionRecord[]>
  /** Returns the record of a live browser, even if it has ended. */
  record(id: string, call?: OfTeam): Promise<SessionRecord>
  /** Ends a live browser. Returns its duration and price, also if it had already ended. */
  stop(id: string, call?: OfTeam): Promise<SessionEnd>
  /** Ends the live browser of a scrape, like `stop`. */
  stopOfScrape(scrapeId: string, call?: Pick<FeatureCall, 'team' | 'scopes'>): Promise<SessionEnd>
  /** Lists the languages for code in live browsers. Empty without a working sandbox. */
  languages(): Promise<readonly CodeLanguage[]>
  /** For servers: returns the live browser for a token, and the rights of the token. */
  enter(id: string, token: string): Promise<SessionEntry>
  /** For servers: returns which other process has a live browser, or `undefined` if it is in this process or unknown. */
  findOwner(id: string): Promise<SessionOwner | undefined>
  /** For servers: announces to other processes the URL at which they can reach this one. Returns a function to stop. */
  announce(url: string): Promise<Stop>
}

/** The live browsers of an engine, for other features of this package. */
export const livePort = definePort<Live>(usableBrowsersPort)
