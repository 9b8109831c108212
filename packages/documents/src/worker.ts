// The worker thread that reads office files. It has no state between files, so it can be terminated at any time.
import { answerTasks } from '@harvestman/threads/thread'

import { convertFile } from './convert.ts'

answerTasks(convertFile, ({ inner }) => inner.map(({ bytes }) => bytes.buffer))
