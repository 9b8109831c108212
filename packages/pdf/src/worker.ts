// Entry point of each worker thread.
import { answerTasks } from '@harvestman/threads/thread'

import { boundUnpacking } from './read/bounds.ts'
import { makeWork } from './work.ts'

answerTasks(makeWork(boundUnpacking()))
