// The reader thread. It stores nothing between pages, so it can be terminated at any time.
import { answerTasks } from '@harvestman/threads/thread'
import { loadModules, readPage, type PageTask } from './read-page.ts'

answerTasks(
  async (task: PageTask, tell) => {
    if (task.wanted.some(({ module }) => module)) await loadModules(task.wanted, tell)
    return readPage(task, tell)
  },
  ({ values }) =>
    Object.values(values).flatMap((value) => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])),
)
