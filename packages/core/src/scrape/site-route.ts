import type { ProxyRequest } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** The requirements of files of a site for their proxy. */
export type SiteRoute = Omit<ProxyRequest, 'host'>

/** Returns the proxies through which the files of a site are loaded: the proxies of the first attempts to load its pages. */
export function siteRoute(
  { proxy = 'basic', location }: Pick<ScrapeRequest, 'location'> & Partial<Pick<ScrapeRequest, 'proxy'>>,
  session: string | undefined,
): SiteRoute {
  return { tier: proxy === 'enhanced' ? 'enhanced' : 'basic', country: location.country, session }
}
