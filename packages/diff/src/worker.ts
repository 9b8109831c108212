// The thread that compares pages. It keeps nothing from one to the next, so it can be killed at any moment.
import { answerTasks } from '@harvestman/threads/thread'
import { compareTexts } from './compare-texts.ts'

answerTasks(compareTexts, ({ kept }) => (kept ? [kept.bytes.buffer as ArrayBuffer] : []))
