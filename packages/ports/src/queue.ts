import type { Json } from './value.ts'

/** Delivers tasks to workers at least once, in any order; the engine handles both. */
export interface Queue {
  readonly reach: 'process' | 'shared'
  /**
   * Must keep a task that is pushed before there is a consumer, and must not deliver it before its delay (milliseconds) has
   * passed. Waiting tasks with a higher priority are delivered first; the default is 0.
   */
  push(task: Task, options?: { readonly delay?: number; readonly priority?: number }): Promise<void>
  /**
   * Must deliver tasks of the given kind only. Must run at most `concurrency` handlers at once. Must deliver a task again when
   * its handler rejects, after a delay that grows with each attempt up to a limit.
   */
  consume(handle: TaskHandler, options: ConsumeOptions): Promise<Stop>
  /**
   * Only for health checks: must reject within 3 seconds if tasks cannot be pushed now. `reason` in the details of the error is
   * a word or two for the operator. Not needed by queues within the process.
   */
  check?(): Promise<void>
  /** Must stop delivering, abort the signals of running handlers, and wait for them. Later calls reject. */
  close(): Promise<void>
}

/** Options for consuming tasks. */
export interface ConsumeOptions {
  /** The kind of tasks to consume. Other kinds wait for their own consumers. */
  readonly kind: string
  readonly concurrency: number
  /** Maximum concurrency for one team, so that no team takes all slots. A queue without teams may ignore it. */
  readonly perTeam?: number
}

/** A task in a queue. */
export interface Task {
  readonly id: string
  readonly kind: string
  readonly body: Json
  /** The team it is for: a queue that supports it serves waiting teams round-robin. */
  readonly team?: string
}

/** Handles a task. If it rejects, the task is delivered again. */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<void>

/**
 * Stops consuming: no new tasks are delivered, waiting tasks stay for others, and it resolves when running handlers have ended.
 */
export type Stop = () => Promise<void>
