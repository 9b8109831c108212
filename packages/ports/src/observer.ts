/** Receives the events of an engine. The engine writes no logs; the host application decides which events to log. */
export type Observer = (event: EngineEvent) => void

/** An event of an engine. */
export type EngineEvent = Moment &
  (
    | { readonly kind: 'scrape.started'; readonly url: string }
    | {
        readonly kind: 'loader.tried'
        readonly url: string
        readonly loader: string
        readonly outcome: LoaderOutcome
        readonly reason?: string
        /** Duration in milliseconds. */
        readonly ms: number
      }
    /** A step of a scrape has ended. It began `ms` before. */
    | { readonly kind: 'scrape.step'; readonly url: string; readonly step: ScrapeStep; readonly ms: number }
    | {
        readonly kind: 'page.loaded'
        readonly url: string
        readonly status: number
        readonly bytes: number
        readonly loader: string
      }
    | { readonly kind: 'scrape.completed'; readonly url: string; readonly credits: number; readonly ms: number }
    | {
        readonly kind: 'scrape.failed'
        readonly url: string
        readonly code: string
        readonly message: string
        readonly ms: number
      }
    | { readonly kind: 'search.completed'; readonly results: number; readonly credits: number; readonly ms: number }
    | { readonly kind: 'search.failed'; readonly code: string; readonly message: string; readonly ms: number }
    | { readonly kind: 'map.completed'; readonly links: number; readonly credits: number; readonly ms: number }
    | { readonly kind: 'map.failed'; readonly code: string; readonly message: string; readonly ms: number }
    /** The memory store was full, so this many of the oldest entries were removed before their expiry. */
    | { readonly kind: 'store.forgot'; readonly entries: number; readonly bytes: number }
    /**
     * A job held its lease but made no progress, though it could have: its lease was released, and the job is started again.
     */
    | { readonly kind: 'job.stood' }
    /** The store was restored to an earlier state and has lost part of a job. The job continues from that state. */
    | { readonly kind: 'store.wentBack' }
    /** An unfinished job was missing from the index of open jobs, so no worker would have found it. It was added again. */
    | { readonly kind: 'job.stranded' }
    /**
     * A job starts here, or continues here after another engine ran it. `waited` is in milliseconds, since the job was created
     * or since its last saved progress.
     */
    | { readonly kind: 'job.taken'; readonly isTakeover: boolean; readonly waited: number }
    /** A job has ended here, `ms` milliseconds after it was created. */
    | {
        readonly kind: 'job.ended'
        readonly status: 'completed' | 'failed' | 'cancelled'
        /** Number of its pages that failed. */
        readonly failedPages?: number
        readonly credits: number
        readonly ms: number
      }
    /** A live browser has ended, `ms` milliseconds after it was opened. */
    | { readonly kind: 'session.ended'; readonly credits: number; readonly ms: number }
    | { readonly kind: 'warning'; readonly message: string }
    /**
     * An internal error: one request failed, or one connection ended, and nothing else was affected. With `process` the error
     * was not caught.
     */
    | { readonly kind: 'fault'; readonly where: FaultPlace; readonly message: string }
  )

/** Time of an event, and the team and task it belongs to. */
export interface Moment {
  readonly at: number
  readonly team: string
  /** Id of the task. */
  readonly id: string
}

/** Where an internal error was caught. */
export type FaultPlace = 'request' | 'connection' | 'process'

/** Outcome of a loader. */
export type LoaderOutcome = 'page' | 'passed' | 'failed'

/** Step of a scrape, in order: load and read the page, derive the formats, assemble the document, store it. */
export type ScrapeStep = 'load' | 'derive' | 'assemble' | 'settle'
