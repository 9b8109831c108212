import { freeHold } from '../credits/hold.ts'
import { noteRequest } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { someTeam } from './some-team.ts'
import type { Engine } from './types.ts'
import type { FirstUses } from './warm-up.ts'
import type { MapCall } from './job-call.ts'
import type { CrawlPlans } from './jobs-api.ts'
import type { WantedSite } from '../answers/plugin-jobs.ts'
import type { MapKit } from '../map/kit.ts'
import type { LLM, Store } from '@harvestman/ports'
import type { z } from 'zod'
import { mapSchema } from '../schema/map.ts'
import { crawlPlanSchema } from '../schema/crawl-plan.ts'
import { check } from '../schema/problems.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Kit } from '../scrape/kit.ts'
import { loadSitemapReader, type Robots } from '@harvestman/site'
import type { ThreatLists } from '../threats/rules.ts'
import type { TeamThreats } from '../threats/team-policy.ts'

/** Limits for listing the URLs of a site before a crawl is planned: number of URLs, and milliseconds. */
const looked = { limit: 2_000, timeout: 20_000 }

interface MapsOptions {
  readonly kit: Kit
  readonly store: Store
  readonly robots: Robots
  readonly schemas: { readonly scrape: z.ZodType<ScrapeRequest> }
  readonly gate: RequestGate
  readonly llm: LLM | undefined
  readonly threats: TeamThreats
}

interface Looked {
  readonly url: string
  readonly threatProtection?: ThreatLists | undefined
  readonly [option: string]: unknown
}

/** Members of the engine that list the URLs of a site. */
export interface Maps extends Pick<Engine, 'map'>, CrawlPlans {
  /** Lists URLs for a job, which pays for them in its own price. */
  readonly siteUrls: (site: WantedSite, team: string) => Promise<readonly string[]>
  /** The code for the first map. */
  readonly firstUses: FirstUses
  /** Dependencies of a map. */
  readonly mapKit: MapKit
}

/**
 * Creates the functions that map sites and plan crawls. Failures of a map are noted and rethrown. Planning rejects with
 * `not_configured` if it needs a language model and there is none.
 */
export function makeMaps({ kit, store, robots, schemas, gate, llm, threats }: MapsOptions): Maps {
  const mapKit: MapKit = { ...kit, store, robots, pageRequest: (page: unknown) => check(schemas.scrape, page) }
  const lookAt = async (
    { threatProtection: own, ...input }: Looked,
    { team = someTeam, signal }: MapCall,
  ): Promise<readonly string[]> => {
    const id = kit.newId()
    const threatProtection = await threats.listsOf(team, own)
    const caller = { team, id, task: id, signal, keep: false, hold: freeHold }
    const { map } = await import('../map/map.ts')
    const { links } = await map(check(mapSchema(), { ...input, threatProtection }), caller, mapKit)
    return links.map((link) => link.url)
  }
  const planFor: Maps['planFor'] = async (input, { team, signal }) => {
    const request = check(crawlPlanSchema, input)
    const urls = (url: string): Promise<readonly string[]> => lookAt({ url, ...looked }, { team, signal })
    const abortSignal = signal ?? new AbortController().signal
    const { planCrawl } = await import('../crawl-plan/crawl-plan.ts')
    return planCrawl(request, { llm, signal: abortSignal, urls })
  }
  return {
    mapKit,
    firstUses: { warmUps: [loadSitemapReader, () => import('../map/map.ts')], readings: [] },
    siteUrls: ({ words, ...site }, team) =>
      lookAt({ ...site, ...(words !== undefined && { search: words.slice(0, 1_000) }), timeout: 60_000 }, { team }),
    map: async (input, call = {}) => {
      const { team = someTeam, signal, key, apiVersion } = call
      const id = kit.newId()
      const { begun, refused } = noteRequest(gate, 'map', input, { team, key, apiVersion }, id)
      const caller = { team, id, task: id, signal, keep: false, key, begun }
      try {
        await gate.admit({ group: 'map' }, { ...call, team })
        const request = check(mapSchema(), input)
        kit.around.check(request)
        const { map } = await import('../map/map.ts')
        return await kit.around.run({ id, team, request, isOfJob: false }, () => map(request, caller, mapKit))
      } catch (error) {
        refused(error)
        throw error
      }
    },
    planFor,
    planCrawl: async (input, call = {}) => {
      const { team = someTeam, key, apiVersion } = call
      await gate.admit({ group: 'crawl' }, { ...call, team }).catch((error: unknown) => {
        noteRequest(gate, 'crawl', input, { team, key, apiVersion }).refused(error)
        throw error
      })
      return planFor(input, call)
    },
  }
}
