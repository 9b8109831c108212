import { errorCodes } from '../../errors/codes.ts'
import { EngineError } from '../../errors/error.ts'
import { printedPieces } from '../../lib/printed.ts'
import type { Json } from '../../ports/value.ts'
import type { Strategy, PageOutcome, JobTask, Attempt } from './strategy.ts'
import type { Entry } from '../log/facts.ts'

/** What came of a visit: entries to be kept, or the wish to try again. */
export type AttemptResult = { readonly entries: readonly Entry[] } | { readonly again: EngineError }

/** Makes a visit. Whatever goes wrong is about this page, and its job goes on. */
export async function tryPage(
  task: JobTask,
  visit: Attempt,
  strategy: Strategy,
  now: () => number,
): Promise<AttemptResult> {
  try {
    return { entries: entriesOf(task, visit, await strategy.visit(task, visit), now()) }
  } catch (error) {
    if (visit.signal.aborted) return { entries: [] }
    const failure = typed(error)
    if (errorCodes[failure.code].retryable && !visit.isLast) return { again: failure }
    const { code, message } = failure
    const { number, url } = task
    return { entries: [{ fact: { is: 'failed', at: now(), task: number, id: visit.id, url, code, message } }] }
  }
}

function entriesOf(
  { number: task, url }: JobTask,
  { id }: Attempt,
  { document, notes = [] }: PageOutcome,
  at: number,
): Entry[] {
  const noted = notes.map((note: Json): Entry => ({ fact: { is: 'noted', at, note } }))
  if (!document) return [{ fact: { is: 'dropped', at, task } }, ...noted]
  const pieces = printedPieces(document)
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  const { creditsUsed: credits } = document.metadata
  return [{ fact: { is: 'page', at, task, id, url, credits, bytes }, document: pieces }, ...noted]
}

function typed(error: unknown): EngineError {
  if (EngineError.is(error)) return error
  return new EngineError('internal', 'Harvestman has a fault. Please report it with the cause.', { cause: error })
}
