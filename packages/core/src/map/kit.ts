import type { Store } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Kit } from '../scrape/kit.ts'
import type { Robots } from '@harvestman/site'

/** Kit of a map: that of a scrape, and more. */
export interface MapKit extends Kit {
  readonly store: Store
  readonly robots: Robots
  /** Checks the request of one page with the schema of this engine. */
  readonly pageRequest: (input: unknown) => ScrapeRequest
}
