/** Is told what happens. The engine writes no logs; the host decides what becomes one. */
export type Observer = (event: EngineEvent) => void

/** Event that an engine tells its observer. */
export type EngineEvent = Moment &
  (
    | { readonly kind: 'scrape.started'; readonly url: string }
    | {
        readonly kind: 'loader.tried'
        readonly url: string
        readonly loader: string
        readonly outcome: LoaderOutcome
        readonly reason?: string
        /** Milliseconds that it took. */
        readonly ms: number
      }
    /** A step of a scrape is done. It began `ms` before. */
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
    /** Memory held more than fits: so many of the oldest entries went before their time. */
    | { readonly kind: 'store.forgot'; readonly entries: number; readonly bytes: number }
    /** A job held its lease and did nothing, though it could have: it was given back, and is taken up anew. */
    | { readonly kind: 'job.stood' }
    /** The store was put back to an earlier state and has lost some of a job, which continues from what is there. */
    | { readonly kind: 'store.wentBack' }
    /** A job was not over and not among the open jobs, so no worker would have looked for it: it is open again. */
    | { readonly kind: 'job.stranded' }
    /**
     * A job begins to run here, or goes on after another engine had it. It waited so many milliseconds: from when it was asked
     * for, or from the last that was kept of it.
     */
    | { readonly kind: 'job.taken'; readonly isTakeover: boolean; readonly waited: number }
    /** A job has ended here, so many milliseconds after it was asked for. */
    | {
        readonly kind: 'job.ended'
        readonly status: 'completed' | 'failed' | 'cancelled'
        /** How many of its pages failed. */
        readonly failedPages?: number
        readonly credits: number
        readonly ms: number
      }
    /** A live browser has ended, so many milliseconds after it was opened. */
    | { readonly kind: 'session.ended'; readonly credits: number; readonly ms: number }
    | { readonly kind: 'warning'; readonly message: string }
    /**
     * Something of ours broke: one request was answered with an error, or one connection ended, and nothing else did. In the
     * `process`: it was not caught.
     */
    | { readonly kind: 'fault'; readonly where: FaultPlace; readonly message: string }
  )

/** Time of an event, and the team and task it belongs to. */
export interface Moment {
  readonly at: number
  readonly team: string
  /** The task this belongs to. */
  readonly id: string
}

/** Place where a fault of the program was caught. */
export type FaultPlace = 'request' | 'connection' | 'process'

/** Outcome of a loader. */
export type LoaderOutcome = 'page' | 'passed' | 'failed'

/** Step of a scrape, in order: load and read the page, work out the formats, assemble the document, keep it. */
export type ScrapeStep = 'load' | 'derive' | 'assemble' | 'settle'
