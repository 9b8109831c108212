import { makeThreads, threadFile, type ThreadOptions } from '@harvestman/threads'

import { limits } from './recipe.ts'
import type { Work, WorkTask } from './work.ts'

/** Runs the work of a team in a thread. Aborting the signal terminates the thread. */
export type WorkThreads = (team: string, signal: AbortSignal) => Work

/** Creates the threads for the work on responses. Throws `not_configured` if a bundler has merged the package into an application. */
export function makeWorkThreads({
  size = 2,
  budget = limits.workTime,
  megabytes = limits.workMegabytes,
}: Partial<Pick<ThreadOptions, 'size' | 'budget' | 'megabytes'>> = {}): WorkThreads {
  const messages = {
    tooSlow: `The responses of the page could not be searched or read within ${budget} ms of CPU time.`,
    tooLarge: `Searching or reading the responses of the page took more than ${megabytes} MB of memory.`,
  }
  const pool = makeThreads<WorkTask, unknown>({ entry: threadFile(import.meta.url), size, budget, megabytes, messages })
  // Cast: the thread calls the function with this name.
  return (team, signal) => (name, input) => pool.run({ name, input }, signal, { team }) as Promise<never>
}
