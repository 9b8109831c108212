import type { Session } from '../lib/cdp.ts'
import type { Route } from '../egress/route.ts'
import type { Running } from '../chromium/running.ts'

/** A context of its own with one empty page in it. Nothing in it was there before, and nothing of it stays. */
export interface Place {
  readonly running: Running
  readonly route: Route
  readonly contextId: string
  readonly targetId: string
  readonly session: Session
  /** Aborted when the page crashes, the browser is gone, or the place is closed. */
  readonly broken: AbortSignal
  /** Whether files that pages request are downloaded, and not read or refused. */
  mayDownload: boolean
  /** Opens another context with the same way out, and nothing in it. Its pages belong to this place. */
  openContext(): Promise<string>
  closeContext(contextId: string): Promise<void>
  /** Takes over the windows that the page opens. */
  onPopup: ((session: Session, targetId: string) => void) | undefined
  /** Puts everything away. Never rejects. */
  close(): Promise<void>
}
