import type { Clock } from '@harvestman/ports'
import type { WebHit } from '../plugin/job-pages.ts'
import type { Caller } from '../scrape/caller.ts'
import type { AnyDocument } from '../scrape/document.ts'

/** Access of kinds of jobs to the web. Each call is paid for by the hold of its caller. */
export interface WebKit {
  readonly clock: Clock
  search(words: string, limit: number, caller: Caller): Promise<readonly WebHit[]>
  map(url: string, words: string | undefined, limit: number, caller: Caller): Promise<readonly WebHit[]>
  /** The Markdown and the links of a page. */
  scrape(url: string, caller: Caller): Promise<AnyDocument>
}
