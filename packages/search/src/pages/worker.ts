// The index thread. Messages are processed sequentially, so that a query sees every page added before it.
import { parentPort, workerData } from 'node:worker_threads'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { makeSequence } from '@harvestman/toolbox/sequence'

import { hitsOf } from './finding.ts'
import { openIndexes, type IndexesOptions } from './indexes.ts'
import type { Kind, Order, Question, Report, Results } from './messages.ts'
import { partsOf } from './parts.ts'
import { pageJsons } from './postgres-rows.ts'

type Put = Extract<Order, { kind: 'put' }>

const indexes = openIndexes(workerData as IndexesOptions)
const sequence = makeSequence()
// The result of another question, such as vectors that were paid for, must not be lost.
const cancellable: ReadonlySet<Kind> = new Set(['find', 'passages', 'pending', 'jsons', 'hits'])
const asked = new Map<number, AbortController>()
let puts: Put[] = []
let timer: NodeJS.Timeout | undefined

// Writing a hundred pages costs little more than writing one, so pages are batched. A query flushes the batch.
const gathering = { pages: 100, ms: 250 }
// Of one transaction, during which no message is read.
const atOnce = { pages: 100, characters: 500_000 }

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'put') {
    puts.push(order)
    timer ??= setTimeout(flush, gathering.ms)
    if (puts.length >= gathering.pages) flush()
  } else if (order.kind === 'cancel') {
    asked.get(order.id)?.abort()
    // Reports that this thread is not blocked. The question may still wait for an earlier one.
    say({ kind: 'cancelled', id: order.id })
  } else {
    flush()
    const controller = new AbortController()
    if (cancellable.has(order.question.kind)) asked.set(order.id, controller)
    void sequence.run(() => carryOut(order.id, order.question, controller.signal))
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

/**
 * Writes the pages by team, in small parts, between which messages are read. If a part fails, its pages are reported as lost.
 * Other parts are not affected.
 */
async function putAll(puts: readonly Put[]): Promise<void> {
  for (const [team, own] of Map.groupBy(puts, (put) => put.team))
    for (const pages of partsOf(
      own.map(({ page }) => page),
      atOnce,
    )) {
      try {
        indexes.of(team, true)?.put(pages)
        say({ kind: 'taken', pages: pages.length })
      } catch (error) {
        say({ kind: 'taken', pages: pages.length, lost: errorMessage(error) })
      }
      await nextTurn()
    }
}

async function carryOut(id: number, question: Question, signal: AbortSignal): Promise<void> {
  try {
    signal.throwIfAborted()
    say({ kind: 'done', id, result: await resultOf(question, signal) })
  } catch (error) {
    if (!signal.aborted) say({ kind: 'failed', id, fault: errorMessage(error) })
  } finally {
    asked.delete(id)
  }
}

async function resultOf(question: Question, signal: AbortSignal): Promise<Results[Kind]> {
  if (question.kind === 'jsons') return pageJsons(question.pages, signal)
  if (question.kind === 'hits') return hitsOf(question.found, question.terms)
  if (question.kind === 'close') indexes.close()
  else if (question.kind === 'find') return (await indexes.of(question.query.team, false)?.find(question, signal)) ?? []
  else if (question.kind === 'passages')
    return (await indexes.of(question.query.team, false)?.passages(question, signal)) ?? []
  else if (question.kind === 'pending')
    return (await indexes.of(question.team, false)?.pending(question.model, question.limit, signal)) ?? []
  else if (question.kind === 'store') indexes.of(question.team, false)?.store(question.model, question.vectors)
  else if (question.url === undefined) indexes.remove(question.team)
  else indexes.of(question.team, false)?.forget(question.url)
  return undefined
}
