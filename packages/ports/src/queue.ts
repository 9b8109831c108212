import type { Json } from './value.ts'

/** Hands tasks to workers at least once, in any order; the engine copes with both. */
export interface Queue {
  readonly reach: 'process' | 'shared'
  /**
   * Must keep a task that is pushed before there is a consumer, and not hand it out before its delay has passed. Among
   * tasks that wait, a higher priority is handed out earlier; the usual one is 0.
   */
  push(task: Task, options?: { readonly delay?: number; readonly priority?: number }): Promise<void>
  /**
   * Must hand out tasks of the kind that is named, and no others. Must run at most `concurrency` handlers at once, and hand a
   * task out again when its handler rejects, after a rest that grows with each time but not without end.
   */
  consume(handle: TaskHandler, options: ConsumeOptions): Promise<Stop>
  /**
   * Only for health checks: must reject within 3 seconds when tasks cannot be pushed now. `reason` among the details of the error is a
   * word or two for the operator. A queue within the process needs none.
   */
  check?(): Promise<void>
  /** Must stop handing out, abort the signal of running handlers, and wait for them. Later calls reject. */
  close(): Promise<void>
}

/** Options for taking tasks from a queue. */
export interface ConsumeOptions {
  /** The kind of tasks that are wanted. Those of other kinds wait for their own consumers. */
  readonly kind: string
  readonly concurrency: number
  /** Most of these for one team, so that no team has all of them. A queue that knows no teams may ignore it. */
  readonly perTeam?: number
}

/** A task in a queue. */
export interface Task {
  readonly id: string
  readonly kind: string
  readonly body: Json
  /** The team it is for: a queue that can hands out waiting tasks in turns by team. */
  readonly team?: string
}

/** Works on a task. When it rejects, the task is handed out again. */
export type TaskHandler = (task: Task, signal: AbortSignal) => Promise<void>

/** Ends a consumption: nothing new is handed out, what waits stays for others, and it resolves when the running handlers are done. */
export type Stop = () => Promise<void>
