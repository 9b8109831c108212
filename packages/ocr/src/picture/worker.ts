// Entry point of the thread that prepares pictures.
import { answerTasks } from '@harvestman/threads/thread'

import { preparePicture, type PreparedPicture, type PrepareTask } from './prepare.ts'

answerTasks<PrepareTask, PreparedPicture>(preparePicture, (prepared) =>
  'picture' in prepared ? [prepared.picture.bytes.buffer as ArrayBuffer] : [],
)
