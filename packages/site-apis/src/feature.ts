// The endpoints of recipes, and the scope of a scrape that uses them.
import { defineFeature, type FeatureInput, type FeatureKit, type MakeEndpoint } from '@harvestman/core/plugin'
import { EngineError, isRecord } from '@harvestman/ports'
import { z } from 'zod'

import { catalogIn, siteApiSchema, type Catalog, type SiteApi } from './catalog.ts'
import { currentScrape } from './current-scrape.ts'
import { makeExchanges } from './exchanges.ts'
import { siteApiFormat } from './format.ts'

const listSchema = z.object({
  limit: z
    .int()
    .min(1)
    .max(20)
    .meta({ title: 'Limit', description: 'The maximum number of hosts to return.' })
    .default(20),
  after: z.string().max(300).meta({ title: 'After', description: 'The `next` of the previous page.' }).optional(),
})

const listedSchema = siteApiSchema
  .omit({ recipe: true })
  .extend({ page: z.string().describe('The URL of the page.') })
  .meta({ id: 'ListedSiteApi', description: 'A learned site API without its recipe.' })

const params = { id: z.string().min(1).max(400) }

/** Recipes of teams, for the endpoints. */
export interface SiteApis {
  /** Returns the recipes of a team. Throws `not_configured` if site APIs are disabled. */
  catalogOf(team: string): Catalog
  /** Returns a recipe of a team. Rejects with `not_found` if there is none. */
  find(team: string, id: string): Promise<SiteApi>
}

function openSiteApis({ storeOf, clock }: FeatureKit, isEnabled: boolean): SiteApis {
  const catalogOf: SiteApis['catalogOf'] = (team) => {
    if (isEnabled) return catalogIn(storeOf(team), () => clock.now())
    throw new EngineError(
      'not_configured',
      'This server has no site APIs. Its operator can set HARVESTMAN_SITE_APIS=true.',
    )
  }
  const find: SiteApis['find'] = async (team, id) => {
    const found = await catalogOf(team).find(id)
    if (found) return found
    throw new EngineError('not_found', `There is no site API ${id.slice(0, 300)}.`)
  }
  return { catalogOf, find }
}

/** Runs an operation in the scope of a scrape if it is one with the format. */
const around: NonNullable<FeatureInput<'siteApis', SiteApis>['around']> = (_, { request, isOfJob }, run) =>
  currentScrape.run(!isOfJob && wantsItems(request) ? { exchanges: makeExchanges() } : undefined, run)

/** Returns whether a request has the format. */
function wantsItems(request: unknown): boolean {
  const formats: unknown = isRecord(request) ? request['formats'] : undefined
  return Array.isArray(formats) && formats.some((one: unknown) => isRecord(one) && one['type'] === siteApiFormat.type)
}

const endpoints = (endpoint: MakeEndpoint<SiteApis>) => ({
  list: endpoint({
    method: 'GET',
    path: '/v2/site-apis',
    summary: 'Lists the learned site APIs of your team by host, without their recipes.',
    input: listSchema,
    output: z.object({
      data: z.array(listedSchema),
      next: listSchema.shape.after.describe('Send it as `after` to get the next page. Absent at the end.'),
    }),
    isFlat: true,
    errors: ['not_configured'],
    command: {
      print: ({ data, next }) => ({
        lines: data.map(({ id, page, failing }) => [id, page, failing === undefined ? '' : 'failing']),
        message: next === undefined ? undefined : `There are more hosts. Continue with --after ${next}`,
      }),
    },
    run: async ({ catalogOf }, { team, input: { limit, after } }) => {
      const { apis, ...more } = await catalogOf(team).list(limit, after)
      return { data: apis.map(({ recipe: { page }, ...api }) => ({ ...api, page })), ...more }
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/v2/site-apis/{id}',
    params,
    summary: 'Returns a site API with its recipe.',
    output: siteApiSchema,
    errors: ['not_found', 'not_configured'],
    run: ({ find }, { team, params: { id } }) => find(team, id),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v2/site-apis/{id}',
    params,
    summary: 'Deletes a site API. The next scrape of its page learns it again.',
    errors: ['not_found', 'not_configured'],
    run: async ({ catalogOf, find }, { team, params: { id } }) => {
      await find(team, id)
      await catalogOf(team).delete(id)
    },
  }),
})

/** Creates the feature `siteApis`: the endpoints of recipes. If it is not enabled, they reject with `not_configured`. */
export const siteApisFeature = (isEnabled: boolean) =>
  defineFeature({
    name: 'siteApis',
    summary: 'Lists and deletes learned site APIs, which return the items of a page without a browser.',
    examples: ['site-apis list', 'site-apis delete shop.example.com~0198c7a1-5f0e-4c3a-9f5d-0a4d2b1c7e11'],
    activities: { 'site-api': 'site-apis' },
    open: (kit: FeatureKit) => openSiteApis(kit, isEnabled),
    ...(isEnabled && { around }),
    endpoints,
  })
