// This side of the thread: it is started when it is first needed, and again when it has failed.
import { Worker } from 'node:worker_threads'

import type { EngineError, SearchHit } from '@harvestman/ports'
import { threadFile } from '@harvestman/ports/adapters'

import { failed, unavailable } from '../faults.ts'
import type { IndexedPage } from './database.ts'
import type { Order, Report } from './messages.ts'
import { makeQuestions } from './questions.ts'
import type { IndexesOptions } from './indexes.ts'

type Asked = Exclude<Order, { kind: 'put' }>
// A union keeps its parts only when the `id` is taken from each.
type WithoutId<O> = O extends Asked ? Omit<O, 'id'> : never

export interface IndexThread {
  /** Hands a page over. It is written soon, and before any question that comes after it is answered. */
  put(team: string, page: IndexedPage): Promise<void>
  ask(order: WithoutId<Asked>, signal?: AbortSignal): Promise<readonly SearchHit[]>
  /** Ends it when all that was handed over is written. */
  close(): Promise<void>
}

// Pages that are handed over and not written. More would be memory without bound.
const most = { pages: 500, wait: 1_000, closing: 10_000 }

export function makeIndexThread(options: IndexesOptions, lost: (why: string) => void): IndexThread {
  let worker: Worker | undefined
  let pending = 0
  const questions = makeQuestions()
  const room: (() => void)[] = []
  const free = (pages: number): void => {
    pending -= pages
    for (const go of room.splice(0)) go()
  }
  const hear = (report: Report): void => {
    if (report.kind === 'done') questions.answer(report.id, report.hits)
    else if (report.kind === 'failed') questions.fail(report.id, failed('server', fault, new Error(report.fault)))
    else {
      free(report.pages)
      if (report.lost !== undefined) lost(report.lost)
    }
  }
  const gone = (from: Worker, why: unknown): void => {
    if (worker !== from) return
    worker = undefined
    free(pending)
    questions.failAll(unavailable('server', 'The index of pages ended. Search again.', why))
  }
  const start = (): Worker => {
    // Flags of the command line of the host are for its own entry: some of them keep a worker from starting.
    const made = new Worker(threadFile(import.meta.url), { execArgv: quiet, workerData: options })
    made.on('message', hear)
    made.on('error', (error) => gone(made, error))
    made.on('exit', () => gone(made, undefined))
    // Last: a listener of messages holds the process again.
    made.unref()
    return made
  }
  const send = (order: Order): void => {
    worker ??= start()
    worker.postMessage(order)
  }
  const ask: IndexThread['ask'] = (order, signal) => questions.ask((id) => send({ ...order, id }), signal)
  return {
    put: async (team, page) => {
      if (pending >= most.pages && !(await hasRoom(room, most.wait))) throw tooMany()
      pending += 1
      send({ kind: 'put', team, page })
    },
    ask,
    close: async () => {
      if (!worker) return
      const ending = worker
      await ask({ kind: 'close' }, AbortSignal.timeout(most.closing)).catch(() => undefined)
      await ending.terminate()
    },
  }
}

const fault = 'The index of pages has a fault.'
const quiet = ['--disable-warning=ExperimentalWarning']

/** Whether there is room before the wait is over. */
function hasRoom(room: (() => void)[], wait: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), wait)
    room.push(() => {
      clearTimeout(late)
      resolve(true)
    })
  })
}

function tooMany(): EngineError {
  return unavailable('busy', 'The index of pages is behind, and this page is not in it.')
}
