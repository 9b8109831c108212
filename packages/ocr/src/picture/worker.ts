// Entry point of the thread that prepares pictures.
import { answerTasks } from '@harvestman/threads/thread'

import { preparePicture, type PreparedPicture, type PrepareTask } from './prepare.ts'

answerTasks<PrepareTask, PreparedPicture>(preparePicture, ({ pages }) =>
  pages.map(({ bytes }) => bytes.buffer as ArrayBuffer),
)
