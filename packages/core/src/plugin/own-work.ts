// Work of a feature that continues after a crash.
import type { Json } from '@harvestman/ports'

/** Input of `kit.ownWork`. */
export interface OwnWorkInput<Request extends Json = Json> {
  /** Identifies the kind in the store. Never change it: stored jobs are found by it. */
  readonly kind: string
  /** Maximum number of jobs of this kind that run at once in this engine. */
  readonly atOnce: number
  /**
   * Does the work. Must be idempotent: if it rejects, it runs again after a pause, and after a crash another engine with the
   * feature runs it again.
   */
  run(request: Request, run: OwnRun): Promise<void>
}

/** One attempt at the work of a job. */
export interface OwnRun {
  /** Aborted when the engine is closed or another engine has the job. */
  readonly signal: AbortSignal
  /** Number of consecutive failures in this engine. */
  readonly failures: number
}

/** Jobs of a kind without pages, endpoints and price. They appear in no list of jobs. */
export interface OwnWork<Request extends Json = Json> {
  /** Starts a job. A repeated call with the same key and request finds the first job, on any engine. */
  start(request: Request, call: { readonly team: string; readonly key: string }): Promise<StartedWork>
  /** Continues jobs that other engines have left. `start` does the same. */
  resume(): Promise<void>
}

/** A job that was started, now or by an earlier call. */
export interface StartedWork {
  readonly hasEnded: boolean
}
