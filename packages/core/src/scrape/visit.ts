import type { Json } from '@harvestman/ports'
import type { Block, Page } from '../plugin/parts.ts'
import type { LoggedInMarker } from '../plugin/profiles.ts'
import type { Revisited } from '../plugin/revisit.ts'

/** A page without its body and the state of the browser. */
export type PageHead = Omit<Page, 'body' | 'state'>

/** The profile of a scrape. Each attempt to load the page starts with the cookies and storage of the previous one. */
export interface ProfileInUse {
  readonly name: string
  /** True if it has cookies or storage of the host of the URL. */
  readonly knowsHost: boolean
  /** What only visitors who are logged in see. */
  readonly marker: LoggedInMarker | undefined
  /** The marker of the request, which is saved with the changes. */
  readonly newMarker: LoggedInMarker | undefined
  /** True if changes may be saved. */
  readonly saves: boolean
  /** True if only a browser can use it. */
  readonly needsScripts: boolean
  /** The saved cookies and storage, and their version. */
  readonly saved: { readonly state: Json | undefined; readonly version: string | undefined }
  /** The cookies and storage for the next attempt. */
  readonly state: Json | undefined
  /** Takes over the cookies and storage of an attempt. */
  advance(page: Pick<Page, 'state' | 'status'>, block: Block | undefined): void
}

/** A profile that a page was loaded with. */
export interface VisitingProfile {
  readonly inUse: ProfileInUse
  /** True if it was saved after the actions, so that a live browser continues at the last URL. */
  readonly isSaved: boolean
}

/** A page and how it was obtained. */
export interface Visit {
  readonly page: PageHead
  /** `OwnedBytes` if only this visit uses them. They are empty once the page has been read. */
  readonly body: Uint8Array
  /** When the page was loaded, in milliseconds since 1970. */
  readonly at: number
  /** Absent if the cache was not used. */
  readonly cacheState: 'hit' | 'miss' | undefined
  /** Identifies this visit among all cached ones. Absent if the page must not be cached. */
  readonly version: string | undefined
  /** The profile of the request, if it has one. */
  readonly profile?: VisitingProfile | undefined
  /** True if another step than the first one of the plan loaded the page. */
  readonly isRaised?: boolean | undefined
  /** How the page was revisited, if there was a cached copy. */
  readonly revisited?: Revisited | undefined
}

/** A visit after its page was read. */
export type SeenVisit = Omit<Visit, 'body'>
