// The index thread. Messages are processed sequentially, so that a query sees every page added before it.
import { parentPort, workerData } from 'node:worker_threads'

import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Order, Report } from './messages.ts'
import { openIndexes, type IndexesOptions } from './indexes.ts'

type Put = Extract<Order, { kind: 'put' }>

const indexes = openIndexes(workerData as IndexesOptions)
let puts: Put[] = []
let timer: NodeJS.Timeout | undefined

// Writing a hundred pages costs little more than writing one, so pages are batched. A query flushes the batch.
const gathering = { pages: 100, ms: 250 }

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'put') {
    puts.push(order)
    timer ??= setTimeout(flush, gathering.ms)
    if (puts.length >= gathering.pages) flush()
  } else {
    flush()
    carryOut(order)
  }
})

function say(report: Report): void {
  parentPort?.postMessage(report)
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  const taken = puts
  puts = []
  putAll(taken)
}

/** Writes the pages by team. If one team's pages fail, they are reported as lost. Other teams are not affected. */
function putAll(puts: readonly Put[]): void {
  for (const [team, own] of Map.groupBy(puts, (put) => put.team)) {
    try {
      indexes.of(team, true)?.put(own.map(({ page }) => page))
      say({ kind: 'taken', pages: own.length })
    } catch (error) {
      say({ kind: 'taken', pages: own.length, lost: errorMessage(error) })
    }
  }
}

function carryOut(order: Exclude<Order, Put>): void {
  const { id } = order
  try {
    if (order.kind === 'find') {
      const hits = indexes.of(order.query.team, false)?.find(order.query, order.now) ?? []
      return say({ kind: 'done', id, hits })
    }
    if (order.kind === 'close') indexes.close()
    else if (order.url === undefined) indexes.remove(order.team)
    else indexes.of(order.team, false)?.forget(order.url)
    say({ kind: 'done', id, hits: [] })
  } catch (error) {
    say({ kind: 'failed', id, fault: errorMessage(error) })
  }
}
