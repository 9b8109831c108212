// Entry point of each worker thread. It has no state between tasks.
import { answerTasks } from '@harvestman/threads/thread'

import { runWork } from './work.ts'

answerTasks(runWork)
