// The feature `siteApis`: the endpoints of recipes, and the scope of a scrape or live browser whose responses are collected.
import { defineFeature, type FeatureKit } from '@harvestman/core/plugin'
import { isRecord } from '@harvestman/ports'

import { currentScrape } from './current-scrape.ts'
import { siteApisEndpoints } from './endpoints.ts'
import { makeExchanges } from './exchanges.ts'
import { siteApiFormat } from './format.ts'
import { openSiteApis, type SiteApis, type SiteApisParts } from './service.ts'

/** Returns whether a request has the format. */
function wantsItems(request: unknown): boolean {
  const formats: unknown = isRecord(request) ? request['formats'] : undefined
  return Array.isArray(formats) && formats.some((one: unknown) => isRecord(one) && one['type'] === siteApiFormat.type)
}

/** Creates the feature `siteApis`: the endpoints of recipes. Without parts, they reject with `not_configured`. */
export const siteApisFeature = (parts: SiteApisParts | undefined) =>
  defineFeature({
    name: 'siteApis',
    summary: 'Learns, lists and deletes site APIs, which return the items of a page without a browser.',
    examples: [
      'site-apis list',
      'site-apis learn-from-browser 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
      'site-apis learn-from-file shop.har --shown "Amber lamp, Basalt lamp"',
      'site-apis delete shop.example.com~0198c7a1-5f0e-4c3a-9f5d-0a4d2b1c7e11',
    ],
    activities: { 'site-api': 'site-apis' },
    open: (kit: FeatureKit) => openSiteApis(kit, parts),
    ...(parts && {
      around: ({ engineHeaders }: SiteApis, work, run) => {
        const { request, isOfJob } = work
        const scrape = !isOfJob && wantsItems(request) ? { exchanges: makeExchanges() } : undefined
        return currentScrape.run(scrape, () => parts.browsers.around(work, engineHeaders, run))
      },
    }),
    endpoints: siteApisEndpoints,
  })
