// The thread that reads pages. It keeps nothing from one page to the next, so it can be killed at any moment.
import { parentPort } from 'node:worker_threads'

import { EngineError } from '../errors/error.ts'
import { readPage, type PageTask } from './read-page.ts'
import type { Answer } from './pool.ts'

parentPort?.on('message', (task: PageTask) => parentPort?.postMessage(answer(task)))

function answer(task: PageTask): Answer {
  try {
    return { result: readPage(task) }
  } catch (error) {
    if (EngineError.is(error)) return { error: { code: error.code, message: error.message, details: error.details } }
    return { fault: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown' }
  }
}
