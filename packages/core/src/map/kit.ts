import type { Store } from '@harvestman/ports'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Kit } from '../scrape/kit.ts'
import type { Robots } from '@harvestman/site'

/** Dependencies of a map, which include the dependencies of a scrape. */
export interface MapKit extends Kit {
  readonly store: Store
  readonly robots: Robots
  /** Validates the request of one page with the schema of this engine. */
  readonly pageRequest: (input: unknown) => ScrapeRequest
}
