// The index thread. Messages are processed sequentially, so that a query sees every page added before it.
import { parentPort, workerData } from 'node:worker_threads'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeSequence } from '@harvestman/toolbox/sequence'

import { openIndexes, type IndexesOptions } from './indexes.ts'
import type { Kind, Order, Question, Report, Results } from './messages.ts'

type Put = Extract<Order, { kind: 'put' }>

const indexes = openIndexes(workerData as IndexesOptions)
const sequence = makeSequence()
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
    void sequence.run(() => carryOut(order.id, order.question))
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
  if (taken.length > 0) void sequence.run(() => putAll(taken))
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

async function carryOut(id: number, question: Question): Promise<void> {
  try {
    say({ kind: 'done', id, result: await resultOf(question) })
  } catch (error) {
    say({ kind: 'failed', id, fault: errorMessage(error) })
  }
}

async function resultOf(question: Question): Promise<Results[Kind]> {
  if (question.kind === 'close') indexes.close()
  else if (question.kind === 'find') return (await indexes.of(question.query.team, false)?.find(question)) ?? []
  else if (question.kind === 'passages') return (await indexes.of(question.query.team, false)?.passages(question)) ?? []
  else if (question.kind === 'pending')
    return (await indexes.of(question.team, false)?.pending(question.model, question.limit)) ?? []
  else if (question.kind === 'store') indexes.of(question.team, false)?.store(question.model, question.vectors)
  else if (question.url === undefined) indexes.remove(question.team)
  else indexes.of(question.team, false)?.forget(question.url)
  return undefined
}
