// Runs a script in a live browser, without a model.
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { inspect } from '../page/names.ts'
import type { LivePage } from '../page/live-page.ts'
import { digestSchema, type Look } from '../page/seen.ts'
import type { LiveTabs } from '../page/tabs.ts'
import { targetOf } from '../record/target.ts'
import { hiderOf, secretOf } from '../script/secrets.ts'
import { bounds, type Expects, type Script, type Step, type Target, type Values } from '../script/schema.ts'
import {
  checkValues,
  fillPlaceholders,
  filledUrl,
  filledExpects,
  filledTarget,
  filledValue,
} from '../script/template.ts'
import { isChecked, describeMismatch } from './check-expects.ts'
import { carryOut, type ElementActionKit } from './element-action.ts'
import { readRedactedPage, pollInterval, waitUntilStill, waitUntilLoaded, type Looking } from './look.ts'
import { resolve, type Verdict } from './resolve.ts'
import { makeStopError, describeElement, type DoneStep } from './stop.ts'
import { oddTabs, pageFor, seenTabs, shownAfter, type NamedTabs } from './tabs.ts'

/** Options of a run. */
export interface RunOptions {
  /** Whether steps may be repaired. */
  readonly repair: boolean
  /** Milliseconds to wait for an element or an outcome. */
  readonly stepTimeout: number
}

/** A step whose target was adapted to the current page. */
export interface Repair {
  readonly step: number
  readonly changes: readonly string[]
  readonly before: Target
  readonly after: Target
}

/** The result of a completed run. */
export interface RunResult {
  readonly steps: readonly DoneStep[]
  readonly repairs: readonly Repair[]
  readonly url: string
}

/** The parts of the session that a run uses. */
export interface RunKit extends Omit<ElementActionKit, 'page'> {
  readonly tabs: LiveTabs
  /** Returns the URL that was blocked since the last call, if any. Nothing was sent to it. */
  takeRefused(): string | undefined
}

/** `page` is the page of the current step. */
interface Run extends RunKit, RunOptions, Looking {
  readonly named: NamedTabs
  readonly script: Script
  readonly values: Values
  readonly done: DoneStep[]
  readonly repairs: Map<number, Repair>
}

const maxRepeats = 100

/**
 * Runs the steps in order. Rejects with `action_failed` at the first step that does not go as recorded, with a description of
 * the page, and with `invalid_request` if a value is missing, unknown or of the wrong type.
 */
export async function runScript(script: Script, values: Values, kit: RunKit, options: RunOptions): Promise<RunResult> {
  checkValues(script, values)
  const hide = hiderOf(script, values)
  const progress = { done: [], repairs: new Map(), loaded: new Set<number>(), named: new Map() }
  const run: Run = { ...kit, ...options, ...progress, page: kit.tabs.first, script, values, hide }
  await run.page.show(kit.signal)
  await goto(run, 0, script.start, values)
  for (let number = 0; number < script.steps.length;) {
    const { each, block = 1 } = script.steps[number]!
    const items = each === undefined ? [undefined] : (values[each] ?? [])
    for (const item of items) {
      const own = each === undefined || item === undefined ? values : { ...values, [each]: item }
      for (let at = number; at < number + block && at < script.steps.length; at += 1) await repeated(run, at, own)
    }
    number += block
  }
  return { steps: run.done, repairs: [...run.repairs.values()], url: run.done.at(-1)?.url ?? '' }
}

/** Returns the run with the tab of a step, brought to the front. */
async function inTabOf(run: Run, number: number): Promise<Run> {
  const { tab } = run.script.steps[number]!
  const page = pageFor(tab, run)
  if (!page) {
    const why = tab === undefined ? 'The first tab is closed.' : `The tab "${tab}" is not open.`
    throw makeStopError(run, number, 'not_found', why, { tabs: await seenTabs(run.tabs.open, run.signal) })
  }
  await page.show(run.signal)
  return { ...run, page }
}

/** Opens a URL, which may contain parameters. Hosts that the script does not list are rejected. */
async function goto(run: Run, number: number, address: string, values: Values): Promise<void> {
  const url = filledUrl(address, withoutSecrets(run, values))
  const host = URL.parse(url)?.host
  if (host === undefined || !run.script.hosts.includes(host))
    throw makeStopError(run, number, 'other_site', `${url.slice(0, 200)} is not on one of the hosts of this script.`)
  await run.keys.goto(url, run.signal)
}

async function repeated(whole: Run, number: number, values: Values): Promise<void> {
  const run = await inTabOf(whole, number)
  const { until } = run.script.steps[number]!
  if (until === undefined) return once(run, number, values)
  const text = fillPlaceholders(until, values)
  for (let count = 0; ; count += 1) {
    await waitUntilStill(run)
    const { texts } = await run.page.see(inspect('digest'), digestSchema, run.signal)
    if (texts.includes(text)) return
    if (count === maxRepeats) break
    await once(run, number, values)
  }
  throw makeStopError(
    run,
    number,
    'not_shown',
    `After ${maxRepeats} times the page does not show ${JSON.stringify(run.hide(text))}.`,
  )
}

async function once(run: Run, number: number, values: Values): Promise<void> {
  const { script, done } = run
  if (done.length >= bounds.stepsOfRun)
    throw makeStopError(run, number, 'too_long', `A run has at most ${bounds.stepsOfRun} steps.`)
  const step = script.steps[number]!
  const expects = filledExpects(step.expects, values)
  const before = new Set(run.tabs.open)
  if (step.action === 'goto') await goto(run, number, String(step.value), values)
  const open = run.repairs.get(number)?.after ?? step.target
  const found = open && step.action !== 'goto' ? await find(run, number, open, values) : undefined
  const isAlready = found !== undefined && step.action === 'click' && hasState(found, expects.state)
  if (found && !isAlready) {
    await checkHost(run, number)
    if (found.verdict.kind === 'other') mayRepair(run, number, found)
    // Discard requests that the page tried before; this step did not cause them.
    run.takeRefused()
    await act(run, number, found, values)
  }
  await settle(run, number, expects, { index: found?.verdict.index, before })
  if (found) noteRepair(run, number, found)
  done.push({
    ...{ step: number + 1, action: step.action, ...reportOf(run, found, isAlready) },
    url: run.hide(await checkHost(run, number)),
  })
}

function noteRepair(run: Run, number: number, { element, verdict, open: before }: Found): void {
  if (verdict.kind !== 'other') return
  run.repairs.set(number, { step: number + 1, changes: verdict.changes, before, after: targetOf(element, {}) })
}

function reportOf(
  run: Run,
  found: Found | undefined,
  isAlready: boolean,
): Pick<DoneStep, 'outcome' | 'element' | 'note'> {
  if (!found) return { outcome: 'done' }
  const element = describeElement(found.element)
  const { verdict } = found
  if (verdict.kind === 'other') return { outcome: 'repaired', element, note: verdict.changes.join('; ') }
  return { outcome: isAlready ? 'already' : 'done', element }
}

interface Found {
  readonly verdict: Exclude<Verdict, { readonly kind: 'none' | 'several' }>
  readonly element: Look['elements'][number]
  readonly open: Target
  readonly look: Look
}

/** Polls until the element is found. A match that needs a repair is used only after the timeout. */
async function find(run: Run, number: number, open: Target, values: Values): Promise<Found> {
  const { signal, clock, stepTimeout } = run
  const target = filledTarget(open, withoutSecrets(run, values))
  await waitUntilLoaded(run)
  const end = clock.now() + stepTimeout
  for (;;) {
    const look = await readRedactedPage(run)
    if (!look.isComplete) throw makeStopError(run, number, 'too_large', 'The page is too large for a script.', look)
    const verdict = resolve(open, target, look.elements)
    const element = 'index' in verdict ? look.elements[verdict.index] : undefined
    const isOver = clock.now() >= end
    if ('index' in verdict && element && (verdict.kind === 'found' || isOver)) return { verdict, element, open, look }
    if (isOver) throw notFound(run, number, target, verdict, look)
    await clock.sleep(pollInterval, signal)
  }
}

function notFound(run: Run, number: number, target: Target, verdict: Verdict, look: Look): EngineError {
  const wanted = describeElement(target)
  if (verdict.kind !== 'several') return makeStopError(run, number, 'not_found', `The page has no ${wanted} now.`, look)
  const some = verdict.indexes.flatMap((index) => look.elements[index] ?? [])
  const message = `${some.length} elements match ${wanted}, and cannot be told apart.`
  return makeStopError(run, number, 'ambiguous', message, { ...look, elements: some })
}

function mayRepair(run: Run, number: number, { verdict, look, open }: Found): void {
  if (verdict.kind !== 'other') return
  const step = run.script.steps[number]!
  const { expects, action } = step
  const seen = { ...look, elements: look.elements.filter((_, index) => index === verdict.index) }
  if (!run.repair) throw makeStopError(run, number, 'not_found', `The page has no ${describeElement(open)} now.`, seen)
  // Without an outcome to check, a repair cannot be verified.
  if (!isChecked(expects) || (action === 'fill' && secretOf(run.script, step) !== undefined))
    throw makeStopError(
      run,
      number,
      'not_found',
      `The page has no ${describeElement(open)} now, and a repair could not be checked.`,
      seen,
    )
}

async function act(run: Run, number: number, { verdict, element }: Found, values: Values): Promise<void> {
  const step = run.script.steps[number]!
  const secret = secretOf(run.script, step)
  // Secrets are only filled in as full values, never within other text.
  const value = filledValue(step.value ?? '', secret === undefined ? withoutSecrets(run, values) : values)
  const origin = secret === undefined ? undefined : run.script.parameters[secret]?.origin
  const deed = { action: step.action, index: verdict.index, element, value, onlyOn: origin, hide: run.hide }
  try {
    await carryOut(run, deed)
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'action_failed') throw error
    // The action closed its own tab. Whether that is expected is checked later.
    if (run.page.closed.aborted) return
    throw makeStopError(run, number, 'not_done', error.message)
  }
}

interface Left {
  readonly index: number | undefined
  /** The tabs that were open before the step. */
  readonly before: ReadonlySet<LivePage>
}

// Milliseconds to wait for further tabs after the expected ones, because the browser reports them with a delay.
const tabsRest = 500

/** Waits until the expected outcome holds. */
async function settle(run: Run, number: number, expects: Expects, { index, before }: Left): Promise<void> {
  const { page, tabs, signal, clock, stepTimeout } = run
  const { tab } = run.script.steps[number]!
  const isLast = tab !== undefined && expects.closes?.includes(tab) === true
  const end = clock.now() + stepTimeout
  const rest = expects.opens ? tabsRest : 0
  let since = Infinity
  for (;;) {
    const now = clock.now()
    const isOver = now >= end
    const odd = await oddTabs(expects, page, { open: before, isOver }, run)
    const why = odd?.why ?? (isLast ? undefined : await whyNotIn(run, expects, index))
    checkRefused(run, number)
    if (why === undefined) {
      since = Math.min(since, now)
      if (isOver || now - since >= rest) return
    } else if (isOver) {
      if (odd) throw makeStopError(run, number, odd.reason, run.hide(why), odd)
      const seen = page.closed.aborted ? { tabs: await seenTabs(tabs.open, signal) } : await readRedactedPage(run)
      throw makeStopError(run, number, 'other_outcome', why, seen)
    } else {
      since = Infinity
    }
    await clock.sleep(pollInterval, signal)
  }
}

function checkRefused(run: Run, number: number): void {
  const refused = run.takeRefused()
  if (refused === undefined) return
  const host = run.hide(URL.parse(refused)?.host ?? '').slice(0, 100)
  throw makeStopError(
    run,
    number,
    'other_site',
    `It leads to ${host}, which is not one of the hosts of this script. Nothing was sent there.`,
  )
}

/** Returns a sentence that describes the first mismatch in the page. */
async function whyNotIn(run: Run, expects: Expects, index: number | undefined): Promise<string | undefined> {
  try {
    if (isChecked(expects)) return await describeMismatch(expects, index, run)
    await waitUntilStill(run)
    return undefined
  } catch (error) {
    if (run.page.closed.aborted) return 'Its tab was closed.'
    throw error
  }
}

function hasState({ element }: Found, state: Step['expects']['state']): boolean {
  if (!state) return false
  const keys = ['checked', 'selected', 'expanded', 'pressed'] as const
  const known = keys.filter((key) => state[key] !== undefined)
  return known.length > 0 && known.every((key) => state[key] === element.state[key])
}

async function checkHost(run: Run, number: number): Promise<string> {
  const page = shownAfter(run.page, run)
  const { url } = await page.see(inspect('page'), z.object({ url: z.string() }), run.signal)
  const host = URL.parse(url)?.host ?? ''
  if (run.script.hosts.includes(host)) return url
  throw makeStopError(
    run,
    number,
    'other_site',
    `It led to ${run.hide(host || url).slice(0, 100)}, which is not one of the hosts of this script.`,
  )
}

function withoutSecrets({ script }: Run, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => script.parameters[name]?.secret !== true))
}
