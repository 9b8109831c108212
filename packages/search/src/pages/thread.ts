// This side of the thread: it is started when it is first needed, and again when it has failed.
import { Worker } from 'node:worker_threads'

import { EngineError } from '@harvestman/core'
import type { SearchHit } from '@harvestman/core/ports'

import { failed, unavailable } from '../faults.ts'
import type { IndexedPage } from './database.ts'
import type { Order, Report } from './messages.ts'
import type { ShelfOptions } from './shelf.ts'

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

interface Waiting {
  readonly resolve: (hits: readonly SearchHit[]) => void
  readonly reject: (error: unknown) => void
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
// Pages that are handed over and not written. More would be memory without bound.
const most = { pages: 500, wait: 1_000, closing: 10_000 }

export function makeIndexThread(options: ShelfOptions, lost: (why: string) => void): IndexThread {
  let worker: Worker | undefined
  let pending = 0
  let lastId = 0
  const waiting = new Map<number, Waiting>()
  let room: (() => void)[] = []
  const freeRoom = (): void => {
    for (const go of room.splice(0)) go()
  }
  const hear = (report: Report): void => {
    if (report.kind === 'taken') {
      pending -= report.pages
      freeRoom()
      if (report.lost !== undefined) lost(report.lost)
      return
    }
    const asker = waiting.get(report.id)
    waiting.delete(report.id)
    if (report.kind === 'done') asker?.resolve(report.hits)
    else asker?.reject(failed('server', 'The index of pages has a fault.', new Error(report.fault)))
  }
  const gone = (from: Worker, why: unknown): void => {
    if (worker !== from) return
    worker = undefined
    pending = 0
    freeRoom()
    for (const { reject } of waiting.values())
      reject(unavailable('server', 'The index of pages ended. Search again.', why))
    waiting.clear()
  }
  const start = (): Worker => {
    // Flags of the command line of the host are for its own entry: some of them keep a worker from starting.
    const made = new Worker(entry, { execArgv: quiet, workerData: options })
    made.unref()
    made.on('message', hear)
    made.on('error', (error) => gone(made, error))
    made.on('exit', () => gone(made, undefined))
    return made
  }
  const send = (order: Order): void => {
    worker ??= start()
    worker.postMessage(order)
  }
  const ask = async (order: WithoutId<Asked>, signal?: AbortSignal): Promise<readonly SearchHit[]> => {
    signal?.throwIfAborted()
    lastId += 1
    const id = lastId
    const stop = (): void => {
      waiting.get(id)?.reject(signal?.reason)
      waiting.delete(id)
    }
    signal?.addEventListener('abort', stop, { once: true })
    // A question keeps the process until it is answered.
    const hold = setInterval(() => undefined, 60_000)
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send({ ...order, id } as Asked)
      })
    } finally {
      clearInterval(hold)
      signal?.removeEventListener('abort', stop)
    }
  }
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
      room = []
      await ending.terminate()
    },
  }
}

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
