import type { Clock } from '@harvestman/ports'
import type { LoadOptions, SearchOptions, WebHit } from '../plugin/job-pages.ts'
import type { Caller } from '../scrape/caller.ts'
import type { Scraped } from '../scrape/scraped.ts'
import type { ThreatLists } from '../threats/rules.ts'

/** Web access for kinds of jobs. Each call is paid from the hold of its caller. */
export interface WebKit {
  readonly clock: Clock
  search(words: string, limit: number, caller: Caller, options?: SearchOptions): Promise<readonly WebHit[]>
  map(url: string, words: string | undefined, limit: number, caller: Caller): Promise<readonly WebHit[]>
  /** Returns a page with its Markdown and links. */
  scrape(
    url: string,
    caller: Caller,
    options?: Pick<LoadOptions, 'page' | 'withBlocks'>,
  ): Promise<Pick<Scraped, 'document' | 'blocks'>>
}

/** Returns the web access of a job with these lists as its threat protection. Without lists, the policy of its team applies. */
export type WebOfJobs = (lists: ThreatLists | undefined) => WebKit
