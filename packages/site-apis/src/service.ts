// The service behind the endpoints: access to the recipes, live browsers and records of a caller.
import {
  defaultLocation,
  missingPort,
  pickProxy,
  proxiesPort,
  recordedTrafficPort,
  usableBrowsersPort,
  type AskedBy,
  type FeatureKit,
  type PluginContext,
  type RecordedTraffic,
} from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { uuidv7 } from '@harvestman/toolbox/uuid'

import { catalogIn, type Catalog, type SiteApi } from './catalog.ts'
import type { Learning } from './learn-from-traffic.ts'
import { readShownPage, type OpenBrowsers } from './open-browsers.ts'
import { trafficOfBrowser, trafficOfFile, trafficOfRecord, type PageTraffic, type TrafficFile } from './page-traffic.ts'
import { limits } from './recipe.ts'
import type { WorkThreads } from './threads.ts'

/** Parts of the plugin that the feature uses. */
export interface SiteApisParts {
  readonly threads: WorkThreads
  readonly browsers: OpenBrowsers
  /** Returns the context of the plugin after the engine has opened it. */
  readonly context: () => PluginContext | undefined
}

/** The caller that reads traffic, and a signal to stop. */
export interface Reader {
  readonly call: AskedBy
  readonly signal: AbortSignal
}

/** Recipes of teams, for the endpoints. All methods throw `not_configured` if site APIs are disabled. */
export interface SiteApis {
  /** Headers that the engine adds to each request. */
  readonly engineHeaders: Readonly<Record<string, string>>
  /** Returns the recipes of a team. */
  catalogOf(team: string): Catalog
  /** Returns a recipe of a team. Rejects with `not_found` if there is none. */
  find(team: string, id: string): Promise<SiteApi>
  /**
   * Reads the page in front of a recorded live browser of the caller. `shown` replaces its text. Rejects with `conflict` if it is
   * not recorded, and with the reason if it is not open.
   */
  readBrowser(read: { readonly id: string; readonly shown: string | undefined }, by: Reader): Promise<PageTraffic>
  /** Reads a page in a record of the caller. `url` defaults to the first document. */
  readRecord(
    read: { readonly id: string; readonly url: string | undefined; readonly shown: string },
    by: Reader,
  ): Promise<PageTraffic>
  /** Reads a page in a file of the caller: HAR, or a record. */
  readFile(file: TrafficFile, by: Reader): Promise<PageTraffic>
  /** Returns the dependencies for learning on behalf of the caller. */
  learningOf(call: AskedBy): Omit<Learning, 'repeatPosts' | 'signal'>
}

/** Opens the service. Without parts, its methods throw `not_configured`. */
export function openSiteApis(kit: FeatureKit, given: SiteApisParts | undefined): SiteApis {
  const now = (): number => kit.clock.now()
  const parts = (): SiteApisParts => {
    if (given) return given
    throw new EngineError(
      'not_configured',
      'This server has no site APIs. Its operator can set HARVESTMAN_SITE_APIS=true.',
    )
  }
  const catalogOf: SiteApis['catalogOf'] = (team) => {
    parts()
    return catalogIn(kit.storeOf(team), now)
  }
  return {
    engineHeaders: kit.headers,
    catalogOf,
    find: async (team, id) => {
      const found = await catalogOf(team).find(id)
      if (found) return found
      throw new EngineError('not_found', `There is no site API ${id.slice(0, 300)}.`)
    },
    readBrowser: async ({ id, shown }, { call, signal }) => {
      const { browsers } = parts()
      kit.checkGroup('interact', call)
      const live = kit.port(usableBrowsersPort)
      if (!live) throw missingPort(usableBrowsersPort, 'engine.siteApis.learnFromBrowser', { subject: 'This request' })
      const session = await live.find(id, call).catch((error: unknown) => {
        throw asMissing(error, id)
      })
      const found = browsers.find(call.team, id)
      if (!found) throw notRecorded(id)
      return trafficOfBrowser(found, shown, () => session.use((either) => readShownPage(found, either), signal))
    },
    readRecord: async ({ id, ...page }, { call, signal }) => {
      parts()
      kit.checkGroup('records', call)
      const records = recordsOf(kit, 'engine.siteApis.learnFromRecord')
      return trafficOfRecord({ ...page, record: await records.find(id, call), redacted: records.redacted }, signal)
    },
    readFile: async (file, { call, signal }) =>
      trafficOfFile(file, {
        ...{ work: parts().threads(call.team, signal), signal },
        openRecord: (bytes) => recordsOf(kit, 'engine.siteApis.learnFromFile').ofFile(bytes),
      }),
    learningOf: (call) => learningOf(kit, parts(), call, catalogOf(call.team)),
  }
}

function recordsOf(kit: FeatureKit, use: string): RecordedTraffic {
  const records = kit.port(recordedTrafficPort)
  if (!records) throw missingPort(recordedTrafficPort, use, { subject: 'This request' })
  return records
}

/** Returns `not_found` for the browser of another team, as for one that does not exist. Other errors are unchanged. */
function asMissing(error: unknown, id: string): unknown {
  const isMissing = EngineError.is(error) && (error.code === 'not_found' || error.code === 'forbidden')
  return isMissing ? new EngineError('not_found', `There is no live browser ${id.slice(0, 100)}.`) : error
}

function notRecorded(id: string): EngineError {
  const remedy = 'Open one with record: true, and call engine.siteApis.learnFromBrowser while it is open.'
  return new EngineError('conflict', `The live browser ${id.slice(0, 100)} is not recorded. ${remedy}`)
}

function learningOf(
  kit: FeatureKit,
  { threads, context }: SiteApisParts,
  { team, key }: AskedBy,
  catalog: Catalog,
): Omit<Learning, 'repeatPosts' | 'signal'> {
  const now = kit.clock.now()
  const agent = kit.headers['user-agent']
  return {
    catalog,
    hold: kit.hold({ team, task: uuidv7(now), until: now + limits.learnTime, key }),
    makeWork: (signal) => threads(team, signal),
    pickProxy: async (url, signal) => {
      const proxies = kit.port(proxiesPort)
      const { country } = defaultLocation
      return proxies && (await pickProxy(proxies, { tier: 'basic', country, host: url.host }, signal))
    },
    sending: {
      ...{ fetcher: kit.fetcher, team, headers: agent === undefined ? {} : { 'user-agent': agent } },
      mayVisit: async (url, signal) => {
        if (kit.policies.areAny) await kit.policies.url(url, { team, signal })
        // The engine opens the plugin before it calls an endpoint.
        await context()?.checkRobots(url, { signal })
      },
    },
  }
}
