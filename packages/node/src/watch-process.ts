import type { Observer } from '@harvestman/ports'
import { observers, startWatchdog } from '@harvestman/telemetry'

import type { Config } from './settings.ts'
import type { OpenOptions } from './engine-parts.ts'
import { sqliteFileOf } from './services.ts'

/** Watchdog that ends a process whose main thread is stuck. */
export interface ProcessWatch {
  /** The given observer, extended to tell the watchdog which page is being processed. */
  readonly observer: Observer | undefined
  /** Call this for each request. */
  readonly onRequest: () => void
  close(): Promise<void>
}

/**
 * Starts the watchdog if the process runs only a server or a worker. A host application is never ended. Without
 * `onBroken`, or with a `stuckTimeout` of 0, it does nothing. A watchdog that cannot run is only reported.
 */
export function watchProcess(config: Config, { onBroken, observer, write }: OpenOptions): ProcessWatch {
  const { stuckTimeout: limit, logFormat: format } = config
  if (!onBroken || limit === 0) return { observer, onRequest: () => undefined, close: async () => undefined }
  const onError = (error: unknown): void =>
    write?.(`The watchdog cannot run, so a stuck process is not ended: ${String(error)}\n`)
  const { note, close } = startWatchdog({ limit, format, action: 'end', file: stuckReportFile(config), onError })
  const noteEvent: Observer = (event) => {
    if (event.kind === 'scrape.started') note(event.url)
    else if (event.kind === 'job.taken') note(`job ${event.id}`)
  }
  return { observer: observers(noteEvent, observer), onRequest: () => note(), close }
}

/** Returns the file for reports of stuck processes, next to a SQLite store; `undefined` for other stores. */
export function stuckReportFile({ store }: Pick<Config, 'store'>): string | undefined {
  const file = sqliteFileOf(store)
  return file === undefined ? undefined : `${file}.stuck.log`
}
