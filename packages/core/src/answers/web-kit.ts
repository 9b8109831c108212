import type { Clock } from '@harvestman/ports'
import type { WebHit } from '../plugin/job-pages.ts'
import type { Caller } from '../scrape/caller.ts'
import type { AnyDocument } from '../scrape/document.ts'

/** Web access for kinds of jobs. Each call is paid from the hold of its caller. */
export interface WebKit {
  readonly clock: Clock
  search(words: string, limit: number, caller: Caller): Promise<readonly WebHit[]>
  map(url: string, words: string | undefined, limit: number, caller: Caller): Promise<readonly WebHit[]>
  /** Returns a page with its Markdown and links. */
  scrape(url: string, caller: Caller): Promise<AnyDocument>
}
