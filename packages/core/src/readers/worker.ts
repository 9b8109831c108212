// The thread that reads pages. It keeps nothing from one page to the next, so it can be killed at any moment.
import { answerTasks } from '@harvestman/threads/thread'
import { readPage } from './read-page.ts'

answerTasks(readPage, ({ values }) =>
  Object.values(values).flatMap((value) => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])),
)
