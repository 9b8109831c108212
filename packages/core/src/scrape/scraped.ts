import type { AnyDocument } from './document.ts'
import type { Fields, Remembered } from './made.ts'
import type { Wants } from './readings.ts'
import type { SeenVisit } from './visit.ts'

/** The document, and what was seen on the way to it. */
export interface Scraped {
  readonly document: AnyDocument
  readonly visit: SeenVisit
  /** What was read from the page, by the name of the field. */
  readonly values: Fields
}

export interface ScrapeWants extends Wants {
  /** Turns the document into what its caller is given; what is kept of it stays as it was. */
  readonly fit?: ((document: AnyDocument) => Promise<AnyDocument>) | undefined
  /** What is left of the time that the request has; all of it when absent. */
  readonly timeout?: number | undefined
  /** What is known of the same request, with the same wants, from before. */
  readonly remembered?: Remembered | undefined
}
