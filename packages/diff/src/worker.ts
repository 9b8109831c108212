// The worker thread that compares pages. It has no state between tasks, so it can be terminated at any time.
import { answerTasks } from '@harvestman/threads/thread'
import { compareTexts } from './compare-texts.ts'

answerTasks(compareTexts, ({ kept }) => (kept ? [kept.bytes.buffer as ArrayBuffer] : []))
