import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

import { EngineError } from '@harvestman/ports'
import { documentTally } from './document-bound.ts'
import type { Progress, ThreadAnswer, ThreadData, ThreadTask } from './threads.ts'

/** Runs one task. Parts that it reports early reach the caller even if the thread is terminated. */
type Work<Task, Result> = (task: Task, tell: (part: unknown) => void) => Result | Promise<Result>

/**
 * Runs incoming tasks: the worker side of `makeThreads`, which sends one at a time. Must keep no state between tasks. The
 * buffers of the result that `moved` returns are transferred, not copied. An error of `work`, or `page_too_complex` for a
 * result above the limits of the task, is sent instead of the result. Has no effect on the main thread.
 */
export function answerTasks<Task, Result>(
  work: Work<Task, Result>,
  moved: (result: Result) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort
  if ((workerData as ThreadData | null)?.isBackground) giveWay()
  const tell = (part: unknown): void => port?.postMessage({ part } satisfies Progress)
  const send = (said: ThreadAnswer<Result>): void => port?.postMessage(said, 'result' in said ? moved(said.result) : [])
  port?.on('message', (given: ThreadTask<Task>) => void answer(given, work, tell).then(send))
}

async function answer<Task, Result>(
  { task, most }: ThreadTask<Task>,
  work: Work<Task, Result>,
  tell: (part: unknown) => void,
): Promise<ThreadAnswer<Result>> {
  try {
    const result = await work(task, tell)
    // Checked in this thread, because copying a result that is too large would block the other side.
    documentTally(most).add(result)
    return { result }
  } catch (error) {
    if (EngineError.is(error)) return { error: { code: error.code, message: error.message, details: error.details } }
    return { fault: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' }
  }
}

const lower = 10

/** Lowers the priority of this thread, which Linux supports. If it cannot be set, the thread runs with normal priority. */
function giveWay(): void {
  try {
    const [id] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(id), getPriority() + lower)
  } catch {
    // Only the order between teams is lost.
  }
}
