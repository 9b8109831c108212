import type { Observer } from '@harvestman/ports'
import { observers, startWatchdog } from '@harvestman/telemetry'

import type { Config } from './config.ts'
import type { OpenOptions } from './open.ts'

/** Ends a process whose main thread is stuck. */
export interface ProcessWatch {
  /** The given observer, and one that tells the watchdog which page is worked on. */
  readonly observer: Observer | undefined
  /** Call it for each request. */
  readonly onRequest: () => void
  close(): Promise<void>
}

/** Watches the process if it runs nothing but a server or a worker; a host application is never ended. */
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

/** The file for reports of stuck processes, beside a SQLite store; `undefined` without one. */
export function stuckReportFile({ store }: Pick<Config, 'store'>): string | undefined {
  return store?.startsWith('sqlite:') ? `${store.slice('sqlite:'.length)}.stuck.log` : undefined
}
