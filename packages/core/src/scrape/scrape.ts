import { EngineError } from '../errors/error.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { assemble } from './assemble.ts'
import type { AnyDocument } from './document.ts'
import { derive } from './derive.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'
import { load } from './load.ts'
import type { Visit } from './visit.ts'
import { parse, type ParsedPage } from './parse.ts'
import { makePlan, withScripts, type Plan } from './plan.ts'
import { settle, settleFailure } from './settle.ts'

/** A URL becomes a document: plan, load, parse and read, derive, assemble, settle. */
export async function scrape(request: ScrapeRequest, caller: Caller, kit: Kit): Promise<AnyDocument> {
  const started = kit.clock.now()
  const plan = makePlan(request, kit.registry, kit.ports)
  const deadline = kit.deadlines.start(request.timeout, caller.signal)
  const tell = teller(request.url, caller, kit)
  tell({ kind: 'scrape.started' })
  try {
    // The race is for parts that do not look at the signal: the caller is answered in time whatever they do.
    const document = await deadline.race(follow(plan, caller, deadline.signal, kit))
    tell({ kind: 'scrape.completed', credits: document.metadata.creditsUsed, ms: kit.clock.now() - started })
    return document
  } catch (error) {
    const failure = EngineError.is(error)
      ? error
      : new EngineError('internal', 'Harvestman has a fault. Please report it with the cause.', { cause: error })
    await settleFailure(failure, plan, caller, kit)
    tell({ kind: 'scrape.failed', code: failure.code, message: failure.message, ms: kit.clock.now() - started })
    throw failure
  } finally {
    deadline.end()
  }
}

async function follow(plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<AnyDocument> {
  const { visit, content } = await read(plan, caller, signal, kit)
  const warnings = [...visit.page.warnings, ...content.warnings]
  const fields = await derive(plan, visit.page, content.values, signal, kit, (sentence) => warnings.push(sentence))
  const document = assemble({ fields, content, visit, plan, warnings, id: caller.id })
  // An answer that came too late has been refused already, so it must leave nothing behind.
  signal.throwIfAborted()
  await settle(document, plan, caller, kit)
  return document
}

interface ReadPage {
  readonly visit: Visit
  readonly content: ParsedPage
}

/** Loads and reads the page; once more with its scripts, when they are what draws it. */
async function read(plan: Plan, caller: Caller, signal: AbortSignal, kit: Kit): Promise<ReadPage> {
  const visit = await load(plan, caller, signal, kit)
  const content = await parse(visit, plan, signal, kit)
  if (content.values['page.shell'] !== true || visit.page.ranScripts || visit.page.status >= 400)
    return { visit, content }
  const better = withScripts(plan)
  if (!better) return { visit, content: warned(content, `${drawn} A browser would: give this engine one.`) }
  try {
    const second = await load(better, caller, signal, kit)
    return { visit: second, content: await parse(second, better, signal, kit) }
  } catch (error) {
    if (signal.aborted || !EngineError.is(error)) throw error
    return { visit, content: warned(content, `${drawn} The browser did not either: ${error.message}`) }
  }
}

const drawn = 'This page is drawn by its scripts, and HTTP alone does not show what they draw.'

function warned(content: ParsedPage, sentence: string): ParsedPage {
  return { ...content, warnings: [...content.warnings, sentence] }
}

type Told =
  | { readonly kind: 'scrape.started' }
  | { readonly kind: 'scrape.completed'; readonly credits: number; readonly ms: number }
  | { readonly kind: 'scrape.failed'; readonly code: string; readonly message: string; readonly ms: number }

function teller(url: string, { team, id }: Caller, kit: Kit): (event: Told) => void {
  return (event) => kit.observer({ ...event, url, team, id, at: kit.clock.now() })
}
