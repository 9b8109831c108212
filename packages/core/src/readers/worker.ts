// The thread that reads pages. It keeps nothing from one page to the next, so it can be killed at any moment.
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
