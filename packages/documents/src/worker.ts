// The thread that reads office files. It keeps nothing from one file to the next, so it can be killed at any moment.
import { answerTasks } from '@harvestman/threads/thread'

import { convertFile } from './convert.ts'

answerTasks(convertFile)
