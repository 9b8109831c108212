import type { AnyDocument } from './document.ts'
import type { DocumentSlot, Fields } from './made.ts'
import type { Wants } from './readings.ts'
import type { SeenVisit } from './visit.ts'

/** The document, and what was seen on the way to it. */
export interface Scraped {
  readonly document: AnyDocument
  readonly visit: SeenVisit
  /** Values read from the page, by the name of the field. */
  readonly values: Fields
}

export interface ScrapeWants extends Wants {
  /** Turns the document into what its caller is given; what is kept of it stays as it was. */
  readonly fit?: ((document: AnyDocument) => Promise<AnyDocument>) | undefined
  /** Remaining time of the request in milliseconds; its whole timeout when absent. */
  readonly timeout?: number | undefined
  /** The cached document of the request; only for callers who do not change the document. */
  readonly slot?: DocumentSlot | undefined
}
