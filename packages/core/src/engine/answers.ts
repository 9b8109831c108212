// Kinds of jobs of plugins, connected to the parts of an engine that they use.
import type { WebOfJobs } from '../answers/web-kit.ts'
import { makePluginJobs, type PluginJobsOptions } from '../answers/plugin-jobs.ts'
import { noteJob } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { checkGroupScope, checkJobScope } from '../gates/scopes.ts'
import type { ByKind, UncheckedKinds } from './by-kind.ts'
import { parseAnswer, schemaAtPath } from './own-schemas.ts'
import { scrapeCost } from './preview.ts'
import type { MapKit } from '../map/kit.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { Preview } from '../plugin/price.ts'
import { mapSchema } from '../schema/map.ts'
import { check } from '../schema/problems.ts'
import type { searchSchema } from '../schema/search.ts'
import { endpointOf } from '../schema/team.ts'
import type { Kit } from '../scrape/kit.ts'
import { scrape } from '../scrape/scrape.ts'
import type { PageScrape } from '../search/pages.ts'
import type { TeamThreats } from '../threats/team-policy.ts'

export interface WebOptions {
  readonly mapKit: MapKit
  readonly threats: TeamThreats
  readonly schemas: { readonly search: ReturnType<typeof searchSchema> }
}

/** Timeouts in milliseconds: of loading a page, of listing a site's URLs, and of a search. */
const timeouts = { page: 45_000, site: 60_000, search: 30_000 }

/**
 * Creates the functions with which jobs search (timeout: 30 seconds), map (60) and scrape (45). Each checks its options like a
 * request, and rejects with the same errors. Search queries are truncated to 500 characters.
 */
export function makeWeb({ mapKit, schemas, threats }: WebOptions): WebOfJobs {
  const { clock, pageRequest } = mapKit
  const noPage = (): never => {
    throw new Error('No page of this search is scraped.')
  }
  const scrapePage: PageScrape = { now: noPage, later: noPage }
  return (own) => ({
    clock,
    search: async (query, limit, caller, { maxPerHost, within } = {}) => {
      const threatProtection = await threats.listsOf(caller.team, own)
      const options = { query: query.slice(0, 500), limit, timeout: timeouts.search, threatProtection }
      const filters = { ...(maxPerHost && { maxPerHost }), ...(within && { tbs: `qdr:${within.charAt(0)}` }) }
      const request = check(schemas.search, { ...options, ...filters })
      const { search } = await import('../search/search.ts')
      return (await search(request, caller, { ...mapKit, scrapePage })).web ?? []
    },
    map: async (url, words, limit, caller) => {
      const threatProtection = await threats.listsOf(caller.team, own)
      const search = words === undefined ? {} : { search: words }
      const options = { url, limit, timeout: timeouts.site, threatProtection, ...search }
      const { map } = await import('../map/map.ts')
      return (await map(check(mapSchema(), options), caller, mapKit)).links
    },
    scrape: async (url, caller, { page, withBlocks } = {}) => {
      const threatProtection = await threats.listsOf(caller.team, own)
      const lists = threatProtection && { threatProtection }
      const options = { timeout: timeouts.page, ...page, formats: ['markdown', 'links'], ...lists }
      return scrape(pageRequest({ url, ...options }), caller, mapKit, { blocks: withBlocks === true })
    },
  })
}

export interface KindsApiOptions extends Pick<PluginJobsOptions, 'jobs' | 'siteUrls' | 'threads'> {
  readonly gate: RequestGate
  readonly someTeam: string
  readonly kit: Kit
  readonly web: WebOfJobs
  readonly threats: TeamThreats
  readonly pageRequest: MapKit['pageRequest']
}

/**
 * Creates a function that fills in the defaults of page options, for kinds of jobs. It throws `invalid_request` for invalid
 * options.
 */
export function pageOptionsBy(pageRequest: MapKit['pageRequest']): PluginJobsOptions['pageOptions'] {
  return (options) => {
    const { url: _, ...page } = pageRequest({ ...options, url: anyPage })
    return page
  }
}

const anyPage = 'https://example.com/'

/**
 * Creates the functions that start, find and price jobs of plugins' kinds. All fail with `invalid_request` for an unknown kind
 * (`price` throws); `start` and `find` also reject with `scope_missing` if the key may not use the kind, and `find` with
 * `not_found`. `price` does not check scopes.
 */
export function makeKindsApi({
  kit,
  jobs,
  siteUrls,
  threads,
  gate,
  someTeam,
  web,
  threats: teamThreats,
  pageRequest,
}: KindsApiOptions): KindsApi {
  const pluginJobs = makePluginJobs({
    parts: kit.registry.jobs,
    ports: kit.ports,
    ...{ jobs, siteUrls, threads },
    listsOf: teamThreats.listsOf,
    search: async (words, limit, team, lists) => {
      const id = kit.newId()
      const found = await web(lists).search(words, limit, { team, id, task: id, signal: undefined, keep: false })
      return found.map(({ url }) => url)
    },
    pageOptions: pageOptionsBy(pageRequest),
    pagePrice: (options, pricing) =>
      scrapeCost(pageRequest({ formats: ['markdown'], ...options, url: anyPage }), kit, { pricing }),
  })
  return {
    kinds: kit.registry.jobs,
    price: (kind, request) => pluginJobs.price(pluginJobs.part(kind), request),
    start: async (kind, input, call = {}) => {
      const part = pluginJobs.part(kind)
      const { schema = '', under } = part.answerFits ?? {}
      const target = { group: endpointOf(kind), endpoint: kind }
      const checkGroup = (group: string): void => checkGroupScope(group, call)
      return noteJob(gate, target, input, call, async (caller) =>
        parseAnswer(await pluginJobs.open(part, input, caller, checkGroup), schemaAtPath(input, ...schema.split('.')), {
          under,
        }),
      )
    },
    find: async (kind, id, { team = someTeam, schema, ...call } = {}) => {
      const part = pluginJobs.part(kind)
      checkJobScope(kind, call)
      return parseAnswer(await pluginJobs.find(part, id, team), schema, { under: part.answerFits?.under })
    },
    findThread: async (kind, id, { team = someTeam, ...call } = {}) => {
      checkJobScope(kind, call)
      return pluginJobs.findThread(pluginJobs.part(kind), id, team)
    },
  }
}

export interface KindsApi extends UncheckedKinds {
  readonly kinds: ByKind<readonly Plugin[]>['kinds']
  price(kind: string, request: unknown): Preview
}
