import { EngineError } from '@harvestman/ports'
import { documentTally } from '@harvestman/threads'
import type { ScrapeRequest } from '../schema/scrape.ts'
import { payFor } from '../credits/hold.ts'
import { tariff } from '../credits/tariff.ts'
import { assemble } from './assemble.ts'
import { repeatDocument } from './cached-document.ts'
import type { Caller } from './caller.ts'
import { holdFor } from './hold-for.ts'
import type { ScrapeContext } from './context.ts'
import { countValue, derive } from './derive.ts'
import type { Draft } from './document.ts'
import type { LocatedBlocks } from './file-places.ts'
import { withSteps, documentExplanation } from './explain.ts'
import { hasPictures, withFiles, withoutPictures } from './files.ts'
import { makeFurtherPages } from './further.ts'
import { documentLimit, type Kit } from './kit.ts'
import { redactionWarnings } from './redaction.ts'
import { isShell, loadAndRead } from './load-and-read.ts'
import type { Derived, ReadPage } from './made.ts'
import { makePlan } from './plan.ts'
import { effectsOf, replayOf, applySettlement } from './settle.ts'
import type { Scraped, ScrapeWants } from './scraped.ts'
import { makeStepLog } from './steps.ts'
import { reportEvent, timeStep } from './report-event.ts'
import { typedError } from '../lib/typed-error.ts'
import type { Claim } from '../schema/citation.ts'
import type { OmittedPart } from '../schema/omitted.ts'
import type { Format } from '../plugin/field.ts'

/**
 * Turns a URL into a document: plan, load, parse and read, derive, assemble, settle. Rejects with an `EngineError`, which is
 * stored like a result if the caller keeps results. A scrape that fails is free, except for a `lockdown` miss, and after a
 * model has checked the page for prompt injection.
 */
export async function scrape(
  request: ScrapeRequest,
  caller: Caller,
  kit: Kit,
  wants: ScrapeWants = {},
): Promise<Scraped> {
  const { clock } = kit
  const started = clock.now()
  const { timeout = request.timeout } = wants
  const cached = wants.slot?.cached
  const plan = cached?.plan ?? makePlan(request, kit, wants)
  const deadline = kit.deadlines.start(timeout, caller.signal)
  const steps = wants.explain === true ? makeStepLog(clock) : undefined
  const hold = holdFor(caller, started + timeout, kit)
  const context: ScrapeContext = {
    plan,
    caller,
    kit,
    hold,
    time: deadline,
    owed: { credits: 0 },
    deriving: new Set(),
    tally: documentTally(documentLimit(kit)),
    steps,
  }
  const owed = (error: unknown): number => priceOfFailure(error) || context.owed.credits
  reportEvent({ kind: 'scrape.started' }, context)
  try {
    // The race covers parts that ignore the signal, so that the caller gets a response in time.
    const { race } = deadline
    const most = plan.pricing.atMost(plan)
    const scraped =
      (cached && (await repeatDocument(context, cached, deadline))) ??
      (await payFor({ hold, most, race, price: creditsUsed, priceOfFailure: owed, begun: caller.begun }, () =>
        follow(context, wants),
      ))
    const credits = creditsUsed(scraped)
    reportEvent({ kind: 'scrape.completed', credits, ms: clock.now() - started }, context)
    return scraped
  } catch (error) {
    const failure = named(typedError(error), context)
    const { code, message } = failure
    // Failures are stored as well, but this error must reach the caller even if that fails.
    const lost = { mayKeep: plan.mayKeep, outcome: { error: { code, message } } }
    await applySettlement(lost, caller, kit).catch(() => undefined)
    reportEvent({ kind: 'scrape.failed', code, message, ms: clock.now() - started }, context)
    throw withSteps(failure, steps)
  } finally {
    deadline.end()
  }
}

function priceOfFailure(error: unknown): number {
  return EngineError.is(error) && error.code === 'lockdown_miss' ? tariff.lockdownMiss : 0
}

async function follow(context: ScrapeContext, { fit, slot, blocks }: ScrapeWants): Promise<Scraped> {
  const { plan, caller, kit, hold, time } = context
  await kit.plugins.open()
  if (kit.policies.areAny) await kit.policies.request(plan.request, { team: caller.team, signal: time.signal })
  const read = await timeStep('load', context, () => loadAndRead(context))
  const { visit, content } = read
  const { derived, draft, file } = await timeStep('derive', context, () => make(read, context))
  const placed = blocks ? await file?.placed(markdownOf(derived)) : undefined
  // A late result has already been rejected, so it must not be stored.
  time.check()
  // Reserves costs that were unknown before: pages of a file, tokens of a model.
  await hold.reserve(draft.metadata.creditsUsed)
  const complete = await timeStep('assemble', context, () => withFiles(draft, context))
  time.check()
  // Files get ids per document, so a document with files is a new object here and is not cached.
  if (slot && complete === draft && visit.version !== undefined && isRepeatable(read, context))
    slot.set({ request: plan.request, plan, version: visit.version, document: draft, bytes: context.tally.bytes })
  const document = { ...complete, ...documentExplanation(context.steps, content.values) }
  // If the caller rejects the document in `fit`, nothing is stored or charged.
  const fitted = (await fit?.(document)) ?? document
  const effects = effectsOf(context, visit, derived)
  const settlement = {
    mayKeep: plan.mayKeep,
    effects,
    outcome: { document, replay: replayOf(plan, kit, visit) },
  }
  await timeStep('settle', context, () => applySettlement(settlement, caller, kit))
  return { document: fitted, visit, values: content.values, blocks: placed }
}

interface Made {
  readonly derived: Derived
  readonly draft: Draft
  /** The blocks of a file with pages, if they are needed. */
  readonly file: LocatedBlocks | undefined
}

/** Returns the whole Markdown, if it was requested. */
function markdownOf({ whole, fields }: Derived): unknown {
  return whole.get('markdown') ?? fields['markdown']
}

/** Derives the formats of a page and assembles the document. */
async function make({ visit, content, isScreened }: ReadPage, context: ScrapeContext): Promise<Made> {
  const { plan, caller, kit, tally } = context
  const { page } = visit
  const { pageImages = [], blocks: given, ...textByPage } = content.byPage ?? {}
  const unredacted = [
    ...(Object.keys(page.actions).length > 0 ? ['actions'] : []),
    ...(pageImages.length > 0 ? ['pageImages'] : []),
    ...(given && hasPictures(given) ? ['the pictures in blocks'] : []),
  ]
  const warnings = [
    ...page.warnings,
    ...content.warnings,
    ...redactionWarnings(plan, unredacted, kit.registry),
    ...plan.withoutEffect.map((name) => `The option ${name} has no effect on the body of a response.`),
  ]
  const warn = (sentence: string): number => warnings.push(sentence)
  for (const values of Object.values(page.actions)) values.forEach((value) => countValue(value, tally))
  const claims: Claim[] = []
  const cite = (more: readonly Claim[], { name, as = name }: Partial<Format>): void => {
    countValue(more, tally)
    claims.push(...more.map((one) => ({ ...one, ...(as !== undefined && { property: as }) })))
  }
  const omitted: OmittedPart[] = []
  const omit = (more: readonly OmittedPart[], { name, as = name }: Partial<Format>): void => {
    countValue(more, tally)
    omitted.push(...more.map((one) => ({ ...(as !== undefined && { property: as }), ...one })))
  }
  const further = makeFurtherPages(context)
  const file = content.blocks && (await import('./file-places.ts')).locateBlocks(content.blocks, context.time.signal)
  const derived = await derive(context, visit, content, { warn, cite, omit, further, file })
  if (content.byPage) countValue({ ...textByPage, ...(given && { blocks: withoutPictures(given) }) }, tally)
  const draft = assemble({
    derived,
    further,
    registry: kit.registry,
    content,
    visit,
    plan,
    warnings,
    claims,
    omitted,
    isScreened,
    id: caller.id,
  })
  const blocks = content.byPage?.blocks && (await file?.located(markdownOf(derived)))
  return { derived, draft: { ...draft, ...content.byPage, ...(blocks && { blocks }) }, file }
}

/** Returns whether the same request makes the same document from this page, without further effects. */
function isRepeatable(read: ReadPage, { plan }: ScrapeContext): boolean {
  const { visit, content } = read
  if (visit.cacheState !== 'hit' || isShell(read) || plan.keepers.length > 0) return false
  if (plan.formats.some(({ format }) => format.keep)) return false
  return plan.mayKeep && plan.fromPageAlone && content.parser.fromPageAlone === true
}

function creditsUsed({ document }: Scraped): number {
  return document.metadata.creditsUsed
}

/** For a timeout, names the formats that were still being computed. */
function named(failure: EngineError, { deriving, plan }: ScrapeContext): EngineError {
  if (failure.code !== 'timeout' || deriving.size === 0) return failure
  const formats = [...deriving]
  const which = formats.length > 1 ? `The formats ${formats.join(' and ')}` : `The format ${formats[0]}`
  const message = `${which} did not end within ${plan.request.timeout} ms. Raise timeout, or remove slow formats.`
  return new EngineError('timeout', message, { cause: failure, details: { ...failure.details, formats } })
}
