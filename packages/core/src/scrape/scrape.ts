import { EngineError } from '@harvestman/ports'
import { documentTally } from '@harvestman/threads'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { payFor } from '../credits/hold.ts'
import { giveAgain } from './again.ts'
import { assemble } from './assemble.ts'
import type { Caller } from './caller.ts'
import { holdFor } from './hold-for.ts'
import type { ScrapeContext } from './context.ts'
import { countValue, derive } from './derive.ts'
import type { AnyDocument } from './document.ts'
import { explained, explanation } from './explain.ts'
import { withFiles } from './files.ts'
import { furtherPages } from './further.ts'
import { boundOf, type Kit } from './kit.ts'
import { isShell, loadAndRead, type ReadPage } from './load-and-read.ts'
import { makePlan } from './plan.ts'
import type { Made } from './made.ts'
import { documentAgain, madeOf, toRemember } from './remembered.ts'
import { effectsOf, replayOf, settle } from './settle.ts'
import type { Scraped, ScrapeWants } from './scraped.ts'
import { makeStepLog } from './steps.ts'
import { tell, timed } from './tell.ts'
import { typedError } from '../lib/typed-error.ts'

/** A URL becomes a document: plan, load, parse and read, derive, assemble, settle. */
export async function scrape(
  request: ScrapeRequest,
  caller: Caller,
  kit: Kit,
  wants: ScrapeWants = {},
): Promise<Scraped> {
  const { clock } = kit
  const started = clock.now()
  const { timeout = request.timeout, remembered = {} } = wants
  const plan = (remembered.plan ??= makePlan(request, kit, wants))
  const deadline = kit.deadlines.start(timeout, caller.signal)
  const steps = wants.explain === true ? makeStepLog(clock) : undefined
  const hold = holdFor(caller, started + timeout, kit)
  const context: ScrapeContext = {
    plan,
    caller,
    kit,
    hold,
    time: deadline,
    remembered,
    deriving: new Set(),
    tally: documentTally(boundOf(kit)),
    steps,
  }
  tell({ kind: 'scrape.started' }, context)
  try {
    // The race is for parts that do not look at the signal: the caller is answered in time whatever they do.
    const { race } = deadline
    const most = (remembered.most ??= plan.pricing.atMost(plan))
    const scraped =
      (await giveAgain(context, wants, deadline)) ??
      (await payFor({ hold, most, race, price: creditsUsed, begun: caller.begun }, () => follow(context, wants)))
    const credits = creditsUsed(scraped)
    tell({ kind: 'scrape.completed', credits, ms: clock.now() - started }, context)
    return scraped
  } catch (error) {
    const failure = named(typedError(error), context)
    const { code, message } = failure
    // Failures are remembered as well; but the caller is to hear of this one, even when it cannot be.
    const lost = { mayKeep: plan.mayKeep, outcome: { error: { code, message } } }
    await settle(lost, caller, kit).catch(() => undefined)
    tell({ kind: 'scrape.failed', code, message, ms: clock.now() - started }, context)
    throw explained(failure, steps)
  } finally {
    deadline.end()
  }
}

async function follow(context: ScrapeContext, { fit, encoded = false }: ScrapeWants): Promise<Scraped> {
  const { plan, caller, kit, hold, time, remembered } = context
  await kit.plugins.open()
  if (kit.policies.areAny) await kit.policies.request(plan.request, { team: caller.team, signal: time.signal })
  const read = await timed('load', context, () => loadAndRead(context))
  const { visit, content } = read
  const known = madeOf(visit, remembered)
  const made = await timed('derive', context, async () => known ?? make(read, context))
  const { derived, draft } = made
  // An answer that came too late has been refused already, so it must leave nothing behind.
  time.check()
  // Reserves costs that could not be known before: the pages of a file, the tokens of a model.
  await hold.reserve(draft.metadata.creditsUsed)
  const document = await timed('assemble', context, async () =>
    known ? documentAgain(known, caller.id, encoded) : finish(made, read, context),
  )
  // A document that its caller does not take leaves nothing behind, and costs nothing.
  const given = (await fit?.(document)) ?? document
  const effects = effectsOf(context, visit, derived)
  const settlement = {
    mayKeep: plan.mayKeep,
    effects,
    outcome: { document, replay: replayOf(plan, kit), isAgain: known !== undefined },
  }
  await timed('settle', context, () => settle(settlement, caller, kit))
  return { document: given, visit, values: content.values }
}

/** Derives and assembles: what of a document follows from its page. */
async function make({ visit, content }: ReadPage, context: ScrapeContext): Promise<Made> {
  const { plan, caller, kit, tally } = context
  const { page, version = '' } = visit
  const warnings = [...page.warnings, ...content.warnings]
  const warn = (sentence: string): number => warnings.push(sentence)
  for (const values of Object.values(page.actions)) values.forEach((value) => countValue(value, tally))
  const further = furtherPages(context)
  const derived = await derive(context, visit, content, { warn, further })
  const draft = assemble({ derived, further, registry: kit.registry, content, visit, plan, warnings, id: caller.id })
  return { version, content, derived, draft, bytes: tally.bytes }
}

/** Puts its files away, and remembers it where it will be the same for the next. */
async function finish(made: Made, read: ReadPage, context: ScrapeContext): Promise<AnyDocument> {
  const { draft, content } = made
  const document = await withFiles(draft, context)
  // Files are addressed for one document, so what has some is another object by now.
  if (document === draft && isRepeatable(read, context)) context.remembered.keep?.(...toRemember(made, context.plan))
  return { ...document, ...explanation(context.steps, content.values) }
}

/** True when the same request makes the same of this page, for as long as the page is kept. */
function isRepeatable(read: ReadPage, { plan, steps }: ScrapeContext): boolean {
  const { visit, content } = read
  if (visit.cacheState !== 'hit' || visit.version === undefined || isShell(read) || steps) return false
  return plan.mayKeep && plan.fromPageAlone && content.parser.fromPageAlone === true
}

function creditsUsed({ document }: Scraped): number {
  return document.metadata.creditsUsed
}

/** Names the formats that were being worked out when the time was up: they are the reason. */
function named(failure: EngineError, { deriving, plan }: ScrapeContext): EngineError {
  if (failure.code !== 'timeout' || deriving.size === 0) return failure
  const formats = [...deriving]
  const which = formats.length > 1 ? `The formats ${formats.join(' and ')}` : `The format ${formats[0]}`
  const message = `${which} did not end within ${plan.request.timeout} ms. Raise timeout, or leave out what takes long.`
  return new EngineError('timeout', message, { cause: failure, details: { ...failure.details, formats } })
}
