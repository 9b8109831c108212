// The service behind the endpoints: access to the recipes, live browsers and records of a caller.
import {
  missingPort,
  recordedTrafficPort,
  type AskedBy,
  type FeatureKit,
  type PluginContext,
  type RecordedTraffic,
} from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { uuidv7 } from '@harvestman/toolbox/uuid'

import { catalogIn, type Catalog, type SiteApi } from './catalog.ts'
import type { Learning } from './learn-from-traffic.ts'
import type { OpenBrowser, OpenBrowsers } from './open-browsers.ts'
import { limits } from './recipe.ts'
import type { WorkThreads } from './threads.ts'

/** Parts of the plugin that the feature uses. */
export interface SiteApisParts {
  readonly threads: WorkThreads
  readonly browsers: OpenBrowsers
  /** Returns the context of the plugin after the engine has opened it. */
  readonly context: () => PluginContext | undefined
}

/** Recipes of teams, for the endpoints. All methods throw `not_configured` if site APIs are disabled. */
export interface SiteApis {
  /** Returns the recipes of a team. */
  catalogOf(team: string): Catalog
  /** Returns a recipe of a team. Rejects with `not_found` if there is none. */
  find(team: string, id: string): Promise<SiteApi>
  /** Returns a recorded live browser of the caller. Throws `not_found` if it is not open, or not recorded. */
  findBrowser(id: string, call: AskedBy): OpenBrowser
  /** Returns the responses of a record of the caller, and the placeholder of secrets in them. */
  recordOf(
    id: string,
    call: AskedBy,
  ): Pick<RecordedTraffic, 'redacted'> & {
    readonly responses: ReturnType<RecordedTraffic['responses']>
  }
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
    catalogOf,
    find: async (team, id) => {
      const found = await catalogOf(team).find(id)
      if (found) return found
      throw new EngineError('not_found', `There is no site API ${id.slice(0, 300)}.`)
    },
    findBrowser: (id, call) => {
      const { browsers } = parts()
      kit.checkGroup('interact', call)
      const found = browsers.find(call.team, id)
      if (found) return found
      const remedy = 'Open one with record: true, and call engine.siteApis.learnFromBrowser while it is open.'
      throw new EngineError('not_found', `There is no recorded live browser ${id.slice(0, 100)}. ${remedy}`)
    },
    recordOf: (id, call) => {
      parts()
      kit.checkGroup('records', call)
      const records = kit.port(recordedTrafficPort)
      if (!records)
        throw missingPort(recordedTrafficPort, 'engine.siteApis.learnFromRecord', { subject: 'This request' })
      return { redacted: records.redacted, responses: records.responses(id, call) }
    },
    learningOf: (call) => learningOf(kit, parts(), call, catalogOf(call.team)),
  }
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
    sending: {
      ...{ fetcher: kit.fetcher, team, proxy: undefined, headers: agent === undefined ? {} : { 'user-agent': agent } },
      mayVisit: async (url, signal) => {
        if (kit.policies.areAny) await kit.policies.url(url, { team, signal })
        // The engine opens the plugin before it calls an endpoint.
        await context()?.checkRobots(url, { signal })
      },
    },
  }
}
