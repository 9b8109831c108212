import { closeBanners, hasNotice, readPageState, waitForChange, waitUntilSettled } from '../page-scripts.ts'
import type { Frame } from './frames.ts'
import { pause } from '../lib/race.ts'
import type { PageState, SettledPage } from './page-results.ts'
import type { View } from './view.ts'
import { contextLost, runIn } from './worlds.ts'

export interface QuietTerms {
  /** Milliseconds without a change after which the page counts as quiet. */
  readonly quiet: number
  /** Milliseconds after which a page with content is used in its current state. */
  readonly cap: number
  /** Milliseconds after which an unfinished page is used in its current state. */
  readonly patience: number
}

export const forPages: QuietTerms = { quiet: 100, cap: 6_000, patience: 6_000 }
export const forActions: QuietTerms = { quiet: 60, cap: 3_000, patience: 6_000 }

const pollEvery = 25
/** Milliseconds to wait for an unfinished page after its last activity: a change or an open request. */
const maxIdle = 5_000
/** Milliseconds to wait for a part of a page with content that is still empty. */
const maxBusy = 2_500
/** Maximum interval between checks of an unfinished page, in milliseconds. */
const betweenLooks = 250
/** Milliseconds of quiet after a cookie notice was answered on a page with little other content. */
const afterAnswer = 500

/**
 * Waits until the page has settled: its document is loaded, nothing was added for a moment, and no pending request could add
 * something. Resolves after `cap` milliseconds as well; an empty or still loading page gets up to `patience`, as long as it is
 * active, and one with an empty busy part a moment. Never waits for images, pings or streams of a page with content. With
 * `blockAds`, answers a cookie notice. Returns why it stopped waiting, as a sentence. Rejects with the signal's reason, or if
 * the browser fails.
 */
export async function settle(view: View, terms: QuietTerms, signal: AbortSignal): Promise<string> {
  const { broken } = view.place
  const { main } = view.frames
  const start = performance.now()
  const left = (): number => Math.max(0, start + terms.cap - performance.now())
  let { quiet } = terms
  let mayAnswer = view.profile.blockAds
  let lastSign = start
  let isPatient = false
  let busySince: number | undefined
  for (;;) {
    const rest = isPatient ? Math.max(left(), quiet) : left()
    if (rest <= 0) return `It did not become quiet within ${terms.cap} ms.`
    const still = await runIn<SettledPage>(main, waitUntilSettled, [quiet, rest], signal, broken)
    if (still === contextLost) {
      await pause(pollEvery, signal, broken)
      lastSign = performance.now()
      continue
    }
    if (view.network.pending() > 0 && left() > 0) {
      while (view.network.pending() > 0 && left() > 0) await pause(pollEvery, signal, broken)
      continue
    }
    if (still.notice && mayAnswer) {
      mayAnswer = false
      if (await answerNotice(view, signal)) {
        if (still.state.length < scarce) quiet = afterAnswer
        continue
      }
    }
    const unfinished = still.isFinal ? undefined : await unfinishedKind(view, still.state, signal)
    if (unfinished) {
      isPatient = true
      const now = performance.now()
      if (view.network.active() > 0) lastSign = now
      const isBusy = unfinished === 'busy'
      const last = isBusy ? (busySince ??= now) + maxBusy : lastSign + maxIdle
      const end = Math.min(start + terms.patience, last)
      const known = isBusy ? abandonedParts : abandoned
      if (now >= end || known.get(view) === main.loader) {
        known.set(view, main.loader)
        return `${isBusy ? 'A part of it was still empty' : 'It still looked unfinished'} after ${Math.round(now - start)} ms.`
      }
      const changed = await runIn<boolean>(main, waitForChange, [Math.min(betweenLooks, end - now)], signal, broken)
      if (changed === true || changed === contextLost) lastSign = performance.now()
      continue
    }
    if (still.isFinal) return 'It has no scripts or frames that could change it.'
    return `Nothing was added for ${quiet} ms, and no running request could add something.`
  }
}

/** A page with fewer characters besides its cookie notice may load its content only after the notice is answered. */
const scarce = 200

/** Answers and closes a cookie notice. Returns whether there was one. */
async function answerNotice(view: View, signal: AbortSignal): Promise<boolean> {
  if ((await runIn<boolean>(view.frames.main, closeBanners, [], signal, view.place.broken)) !== true) return false
  view.note('A cookie notice was answered and closed.')
  return true
}

/**
 * Answers a cookie notice that appeared after the page had settled, and waits for the content that this loads. Does nothing
 * without a notice, or if the profile does not block ads. Rejects with the signal's reason, or if the browser fails.
 */
export async function answerLateNotice(view: View, signal: AbortSignal): Promise<void> {
  if (!view.profile.blockAds) return
  const found = await runIn<boolean>(view.frames.main, hasNotice, [], signal, view.place.broken)
  if (found !== true || !(await answerNotice(view, signal))) return
  const { length } = await stateIn(view.frames.main, view, signal)
  await settle(view, { ...forActions, ...(length < scarce && { quiet: afterAnswer }) }, signal)
}

/** Documents that stayed unfinished, so that later actions do not wait for them again. */
const abandoned = new WeakMap<View, string>()
/** Documents with a part that stayed empty. */
const abandonedParts = new WeakMap<View, string>()

const maxFrames = 10

/**
 * Returns the state of the page, including its frames if it shows little else. The kind is `leaving` while it navigates.
 * Rejects with the signal's reason, or if the browser fails.
 */
export async function stateOf(view: View, signal: AbortSignal): Promise<PageState> {
  const state = await stateIn(view.frames.main, view, signal)
  return state.kind === 'frames' ? withFrames(view, state, signal) : state
}

/** Returns whether the page is expected to show more. */
function isUnfinished({ kind }: PageState): boolean {
  return kind === 'empty' || kind === 'loading' || kind === 'leaving' || kind === 'busy'
}

async function unfinishedKind(
  view: View,
  state: PageState,
  signal: AbortSignal,
): Promise<PageState['kind'] | undefined> {
  const whole = state.kind === 'frames' ? await withFrames(view, state, signal) : state
  return isUnfinished(whole) ? whole.kind : undefined
}

async function withFrames(view: View, state: PageState, signal: AbortSignal): Promise<PageState> {
  const inner = view.frames.all().filter((frame) => frame !== view.frames.main)
  const states: PageState[] = []
  for (const frame of inner.slice(0, maxFrames)) states.push(await stateIn(frame, view, signal))
  const isShown = state.length > 0 || states.some(({ kind }) => kind === 'done' || kind === 'busy')
  const waiting = states.find((one) => (isShown ? one.kind === 'loading' || one.kind === 'leaving' : isUnfinished(one)))
  return waiting ?? states.find(({ kind }) => kind === 'busy') ?? { kind: 'done', length: state.length }
}

async function stateIn(frame: Frame, view: View, signal: AbortSignal): Promise<PageState> {
  const state = await runIn<PageState>(frame, readPageState, [], signal, view.place.broken)
  return state === contextLost ? { kind: 'leaving', length: 0 } : state
}
