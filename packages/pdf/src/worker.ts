// What each thread runs.
import { answerTasks } from '@harvestman/core/thread'

import { work } from './work.ts'

answerTasks(work)
