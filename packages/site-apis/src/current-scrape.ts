// State of one scrape, shared by the loader, the browser and the format.
import { AsyncLocalStorage } from 'node:async_hooks'

import type { Browser } from '@harvestman/ports'
import { joinTraffic } from '@harvestman/toolbox/join-traffic'

import type { Catalog, SiteApi } from './catalog.ts'
import type { Exchanges } from './exchanges.ts'
import type { SendingKit } from './sending.ts'
import type { Work } from './work.ts'

/** A scrape with the format `siteApi`. */
export interface CurrentScrape {
  readonly exchanges: Exchanges
  /** The call of the loader of this plugin. Absent before it. */
  visit?: Visit
}

/** Dependencies for requests, and the catalog of the team. */
export interface Visit {
  readonly sending: SendingKit
  readonly catalog: Catalog
  readonly makeWork: (signal: AbortSignal) => Work
  readonly url: URL
  /** Why nothing may be learned from this scrape. */
  readonly refusal: string | undefined
  /** Why the recipe of the page was not used. */
  readonly reason: string | undefined
  /** The recipe that failed. If it may work again without a change, no other one is learned. */
  readonly failed: { readonly api: SiteApi; readonly mayRecover: boolean } | undefined
}

/** The scrape with the format `siteApi` that the current code belongs to. */
export const currentScrape = new AsyncLocalStorage<CurrentScrape | undefined>()

/** Wraps a browser so that tabs of scrapes with exchanges report their traffic. Other tabs are unchanged. */
export function watchedBrowser(browser: Browser): Browser {
  return {
    open: (profile, signal) => {
      const own = currentScrape.getStore()?.exchanges.traffic
      if (!own) return browser.open(profile, signal)
      const both = profile.traffic ? joinTraffic(profile.traffic, own) : own
      return browser.open({ ...profile, traffic: both }, signal)
    },
    identity: async () => browser.identity?.(),
    close: () => browser.close(),
  }
}
