import type { Connection } from '../lib/cdp.ts'
import type { EndedFor } from './renderers.ts'
import type { Line } from '../fence/switch.ts'

/** A browser that answers, however it was come by. */
export interface Running {
  readonly connection: Connection
  /** Another conversation with it, which the first one does not hear. */
  openLine(): Promise<Line>
  readonly kind: 'shell' | 'full' | 'remote'
  /** As `Chrome/156.0.1.2`. */
  readonly product: string
  readonly userAgent: string
  /** Aborted when the browser is gone, with an error that says so. */
  readonly gone: AbortSignal
  readonly pid: number | undefined
  /** The folder that it may write to, where it is one of this host. */
  readonly folder: string | undefined
  /** Says whether the process of the host has to stay for it. */
  keepAlive(isNeeded: boolean): void
  /** What a page that has just crashed was ended for; nothing when it was not. Each end is told once. */
  whyEnded(): EndedFor | undefined
  /** Ends the page that worked the most of late; false when there is none, or it cannot be known. */
  endBusiest(): boolean
  /** Bytes that all of its processes hold, where that can be known. */
  memory(): number
  /** Ends it in good order, and by force when it does not end. A browser we only connected to is left running. */
  close(): Promise<void>
  /** Ends it by force. */
  kill(sentence: string): Promise<void>
}
