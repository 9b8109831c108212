import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

import { EngineError } from '@harvestman/ports'
import { documentTally } from './document-bound.ts'
import type { Progress, ThreadAnswer, ThreadData, ThreadTask } from './threads.ts'

/** Does one task; what it tells before its end is known to the caller even when the thread is killed. */
type Work<Task, Result> = (task: Task, tell: (part: unknown) => void) => Result | Promise<Result>

/**
 * The other end of `makeThreads`: does the tasks that come, one at a time. Nothing may be kept from one to the next.
 * Buffers of the result that `moved` names are not copied on the way.
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
    // Here, whatever made it: the other side is stalled by copying, before it could look.
    documentTally(most).add(result)
    return { result }
  } catch (error) {
    if (EngineError.is(error)) return { error: { code: error.code, message: error.message, details: error.details } }
    return { fault: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' }
  }
}

const lower = 10

/** Linux has a priority for each thread. Where it cannot be set, the thread works as others do. */
function giveWay(): void {
  try {
    const [id] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(id), getPriority() + lower)
  } catch {
    // Only who comes first is lost by it.
  }
}
