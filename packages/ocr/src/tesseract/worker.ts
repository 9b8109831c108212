// Entry point of each thread that recognizes text.
import { answerTasks } from '@harvestman/threads/thread'

import { makeRecognizer } from './recognize.ts'

answerTasks(makeRecognizer())
