import type { PlacedBlock } from '../schema/file-place.ts'
import type { AnyDocument } from './document.ts'
import type { DocumentSlot, Fields } from './made.ts'
import type { Wants } from './readings.ts'
import type { SeenVisit } from './visit.ts'

/** A document with the facts about its visit. */
export interface Scraped {
  readonly document: AnyDocument
  readonly visit: SeenVisit
  /** Values read from the page, by field. */
  readonly values: Fields
  /** The blocks of a file that has pages, if the caller wants them and the document has Markdown. */
  readonly blocks?: readonly PlacedBlock[] | undefined
}

export interface ScrapeWants extends Wants {
  /** Converts the document for its caller. The stored document is not converted. */
  readonly fit?: ((document: AnyDocument) => Promise<AnyDocument>) | undefined
  /** Time limit in milliseconds; the timeout of the request if absent. */
  readonly timeout?: number | undefined
  /** Entry of the request in the document cache. Only for callers that do not change the document. */
  readonly slot?: DocumentSlot | undefined
}
