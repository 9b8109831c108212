import type { Connection } from '../lib/cdp.ts'
import type { Product } from '../lib/product.ts'
import type { EndedFor } from './renderers.ts'
import type { Line } from '../fence/switch.ts'

/** A running browser, whether started or connected to. */
export interface Running extends Product {
  readonly connection: Connection
  /** Opens a separate protocol connection, whose messages the main connection does not receive. */
  openLine(): Promise<Line>
  /** Aborted when the browser has ended, with the error. */
  readonly closed: AbortSignal
  readonly pid: number | undefined
  /** Folder to which the browser may write, if it runs on this host. */
  readonly folder: string | undefined
  /** Whether it paints pages. False if it was launched for pages without images. */
  readonly paints: boolean
  /** Sets whether the browser keeps this process alive. */
  keepAlive(isNeeded: boolean): void
  /** Returns why a page that has just crashed was killed, or `undefined` if it was not. Each kill is reported once. */
  whyEnded(): EndedFor | undefined
  /** Returns why the last page was killed, if that was just now. Other than `whyEnded`, returns it each time. */
  lastEnd(): EndedFor | undefined
  /** Kills the page that recently used the most CPU time. Returns `false` if there is none or it is unknown. */
  endBusiest(): boolean
  /** Returns the memory of all its processes in bytes, or 0 if unknown. */
  memory(): number
  /** Closes the browser, by force after five seconds. A browser that was only connected to keeps running. */
  close(): Promise<void>
  /** Kills the browser. Pending calls fail with the sentence. Only disconnects from a browser that was connected to. */
  kill(sentence: string): Promise<void>
}
