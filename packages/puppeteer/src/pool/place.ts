import type { Session } from '../lib/cdp.ts'
import type { Route } from '../egress/route.ts'
import type { Running } from '../chromium/running.ts'

/** A browser context with one empty page. Nothing is left of it when it is closed. */
export interface Place {
  readonly running: Running
  readonly route: Route
  readonly contextId: string
  readonly targetId: string
  readonly session: Session
  /** Aborted when the page crashes, the browser is gone, or the place is closed. Replaced when the page is opened again. */
  readonly broken: AbortSignal
  /** Whether files that pages request are downloaded, instead of being read or refused. */
  mayDownload: boolean
  /** Opens another empty context with the same network access. Its pages belong to this place. */
  openContext(): Promise<string>
  closeContext(contextId: string): Promise<void>
  /** Receives the windows that the page opens. */
  onPopup: ((session: Session, targetId: string) => void) | undefined
  /** Closes the place with all its contexts. Never rejects. */
  close(): Promise<void>
}
