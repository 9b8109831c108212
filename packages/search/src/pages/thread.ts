// The main thread's side of the index thread, which is started on first use and restarted after a failure.
import { Worker } from 'node:worker_threads'

import type { EngineError, SearchHit } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { threadFile } from '@harvestman/toolbox/thread-file'

import type { IndexBackend } from './backend.ts'
import type { IndexedPage } from './rows.ts'
import { searchFailed, searchUnavailable } from '../faults.ts'
import type { FoundPage } from './finding.ts'
import type { Kind, Order, Question, Report, Results } from './messages.ts'
import { makeQuestions } from './questions.ts'
import type { IndexesOptions } from './indexes.ts'
import { toBytes } from './vectors.ts'
import type { Terms } from './words.ts'

/** The index thread, which also does the work on the text of pages for an index in Postgres. */
export interface IndexThread extends IndexBackend {
  /** Returns the row of each page for Postgres. */
  jsons(pages: readonly IndexedPage[], signal: AbortSignal): Promise<readonly string[]>
  hits(found: readonly FoundPage[], terms: Terms, signal: AbortSignal): Promise<readonly SearchHit[]>
}

// Maximum number of queued pages, to limit memory, and timeouts in milliseconds.
const most = { pages: 500, wait: 1_000, closing: 10_000, blocked: 30_000 }

/**
 * Creates the connection to the index thread, which starts when it is first needed. `put` rejects with `search_unavailable` if
 * 500 pages are queued for a second; `lost` is called with the reason if queued pages are not written. `ask` rejects with
 * `search_failed`, or with `search_unavailable` if the thread ends; the next call starts it again. An aborted question ends in the
 * thread as well. A thread that is blocked for 30 seconds after that is ended.
 */
export function makeIndexThread(options: IndexesOptions, lost: (why: string) => void): IndexThread {
  let worker: Worker | undefined
  let pending = 0
  const questions = makeQuestions()
  const room: (() => void)[] = []
  const blocked = makeTimers()
  const free = (pages: number): void => {
    pending -= pages
    for (const go of room.splice(0)) go()
  }
  const hear = (report: Report): void => {
    if (report.kind === 'done') questions.answer(report.id, report.result)
    else if (report.kind === 'failed') questions.fail(report.id, searchFailed('server', fault, new Error(report.fault)))
    else if (report.kind === 'cancelled') blocked.end(report.id)
    else {
      free(report.pages)
      if (report.lost !== undefined) lost(report.lost)
    }
  }
  const ended = (from: Worker, why: unknown): void => {
    if (worker !== from) return
    worker = undefined
    blocked.endAll()
    if (pending > 0) lost(why === undefined ? 'The thread of the index ended.' : errorMessage(why))
    free(pending)
    questions.failAll(searchUnavailable('server', 'The index of pages ended. Search again.', why))
  }
  const send = (order: Order): void => {
    worker ??= startThread(options, hear, ended)
    worker.postMessage(order)
  }
  const cancel = (id: number): void => {
    const from = worker
    from?.postMessage({ kind: 'cancel', id } satisfies Order)
    blocked.start(id, () => void from?.terminate())
  }
  const ask = async <K extends Kind>(
    question: Question & { readonly kind: K },
    signal?: AbortSignal,
  ): Promise<Results[K]> =>
    // Cast: the thread answers each kind of question with its result.
    (await questions.ask((id) => send({ kind: 'ask', id, question }), cancel, signal)) as Results[K]
  return {
    put: async (team, page) => {
      if (pending >= most.pages && !(await hasRoom(room, most.wait))) throw tooMany()
      pending += 1
      send({ kind: 'put', team, page })
    },
    ...questionsOver(ask),
    close: async () => {
      if (!worker) return
      const ending = worker
      await ask({ kind: 'close' }, AbortSignal.timeout(most.closing)).catch(() => undefined)
      await ending.terminate()
    },
  }
}

type Ask = <K extends Kind>(question: Question & { readonly kind: K }, signal?: AbortSignal) => Promise<Results[K]>

function questionsOver(ask: Ask): Omit<IndexThread, 'put' | 'close'> {
  return {
    find: (asked, signal) => ask({ kind: 'find', ...asked }, signal),
    passages: (asked, signal) => ask({ kind: 'passages', ...asked }, signal),
    jsons: (pages, signal) => ask({ kind: 'jsons', pages }, signal),
    hits: (found, terms, signal) => ask({ kind: 'hits', found, terms }, signal),
    pending: (wanted, signal) => ask({ kind: 'pending', ...wanted }, signal),
    store: async ({ vectors, ...of }) => {
      const bytes = vectors.map(({ hash, vector }) => ({ hash, vector: toBytes(vector) }))
      await ask({ kind: 'store', ...of, vectors: bytes })
    },
    forget: async ({ team, url }) => {
      await ask({ kind: 'forget', team, url })
    },
  }
}

function startThread(
  options: IndexesOptions,
  hear: (report: Report) => void,
  ended: (from: Worker, why: unknown) => void,
): Worker {
  // The host's Node.js flags are meant for its own entry point. Some of them prevent a worker from starting.
  const made = new Worker(threadFile(import.meta.url), { execArgv: quiet, resourceLimits, workerData: options })
  made.on('message', hear)
  made.on('error', (error) => ended(made, error))
  made.on('exit', () => ended(made, undefined))
  // This must come last: adding a message listener would keep the process alive again.
  made.unref()
  return made
}

const fault = 'The index of pages failed.'
// By default, the memory for new objects grows far beyond the size of a batch of pages.
const resourceLimits = { maxYoungGenerationSizeMb: 4 }
const quiet = ['--disable-warning=ExperimentalWarning']

/** Creates timers of aborted questions, each of which runs until the thread has read that its question was aborted. */
function makeTimers() {
  const timers = new Map<number, NodeJS.Timeout>()
  const end = (id: number): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return {
    start: (id: number, late: () => void): void => void timers.set(id, setTimeout(late, most.blocked).unref()),
    end,
    endAll: (): void => {
      for (const id of [...timers.keys()]) end(id)
    },
  }
}

/** Waits until the queue has space. Returns `false` after `wait` milliseconds. */
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
  return searchUnavailable('busy', 'The index of pages is behind, and this page is not in it.')
}
