import { EngineError } from '../errors/error.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { assemble } from './assemble.ts'
import type { AnyDocument } from './document.ts'
import { derive } from './derive.ts'
import { withFiles } from './files.ts'
import type { Caller } from './caller.ts'
import type { TimeLeft } from './deadline.ts'
import { explained, explaining, explanation } from './explain.ts'
import type { Kit } from './kit.ts'
import { makePlan, type Plan } from './plan.ts'
import { printing } from './printing.ts'
import { read } from './read.ts'
import { settle, settleFailure } from './settle.ts'

/** A URL becomes a document: plan, load, parse and read, derive, assemble, settle. */
export async function scrape(request: ScrapeRequest, caller: Caller, kit: Kit): Promise<AnyDocument> {
  const started = kit.clock.now()
  const asked = printing(makePlan(request, kit.registry, kit.ports), caller, kit.registry)
  const plan = explaining(lookingFor(caller, asked), caller)
  const deadline = kit.deadlines.start(request.timeout, caller.signal)
  const tell = teller(request.url, caller, kit)
  tell({ kind: 'scrape.started' })
  try {
    // The race is for parts that do not look at the signal: the caller is answered in time whatever they do.
    const document = await deadline.race(follow(plan, caller, deadline, kit))
    tell({ kind: 'scrape.completed', credits: document.metadata.creditsUsed, ms: kit.clock.now() - started })
    return document
  } catch (error) {
    const failure = EngineError.is(error)
      ? error
      : new EngineError('internal', 'Harvestman has a fault. Please report it with the cause.', { cause: error })
    await settleFailure(failure, plan, caller, kit)
    tell({ kind: 'scrape.failed', code: failure.code, message: failure.message, ms: kit.clock.now() - started })
    throw explained(failure, caller)
  } finally {
    deadline.end()
  }
}

function lookingFor({ looks }: Caller, plan: Plan): Plan {
  return looks ? { ...plan, readings: [...plan.readings, ...looks.at] } : plan
}

async function follow(plan: Plan, caller: Caller, time: TimeLeft, kit: Kit): Promise<AnyDocument> {
  const { signal } = time
  const { visit, content } = await read(plan, caller, time, kit)
  caller.looks?.see(visit, content.values)
  const warnings = [...visit.page.warnings, ...content.warnings]
  const fields = await derive(plan, visit.page, content.values, signal, kit, (sentence) => warnings.push(sentence))
  const draft = assemble({ fields, content, visit, plan, warnings, id: caller.id })
  // An answer that came too late has been refused already, so it must leave nothing behind.
  signal.throwIfAborted()
  const document = { ...(await withFiles(draft, plan, caller, kit)), ...explanation(caller, content) }
  await settle(document, plan, caller, kit)
  return document
}

type Told =
  | { readonly kind: 'scrape.started' }
  | { readonly kind: 'scrape.completed'; readonly credits: number; readonly ms: number }
  | { readonly kind: 'scrape.failed'; readonly code: string; readonly message: string; readonly ms: number }

function teller(url: string, { team, id }: Caller, kit: Kit): (event: Told) => void {
  return (event) => kit.observer({ ...event, url, team, id, at: kit.clock.now() })
}
