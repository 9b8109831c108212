import { EngineError, type Tab } from '@harvestman/ports'

import { asBrowserFailure, browserFailed } from '../lib/errors.ts'
import { evaluate } from './evaluate.ts'
import { goTo, leave } from './goto.ts'
import { saveState } from './state.ts'
import { click, press, scroll, type, waitFor } from './hands.ts'
import { readDocument, readHtml } from './html.ts'
import { pdf, screenshot } from './pictures.ts'
import { answerLateNotice, stateOf } from './settle.ts'
import type { PageState } from './page-results.ts'
import type { View } from './view.ts'

const never = new AbortController().signal

/**
 * Creates a tab on a page. `release` is called once when the tab is closed, with whether all operations succeeded and none is
 * pending. Operations that are pending then, and later ones, reject with `browser_failed`.
 */
export function makeTab(view: View, release: (isSound: boolean) => Promise<void>): Tab {
  // The page may be reused by another tab, so pending operations of this one must end.
  const closed = new AbortController()
  let [isSound, busy] = [true, 0]
  const during = async <T>(
    doing: string,
    caller: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    busy += 1
    try {
      return await typed(view, doing, AbortSignal.any([caller, closed.signal]), work)
    } catch (error) {
      isSound = false
      throw error
    } finally {
      busy -= 1
    }
  }
  let noted: string[] = []
  const prepare = async (signal: AbortSignal): Promise<void> => {
    await answerLateNotice(view, signal)
    noted = missingIn(await stateOf(view, signal))
  }
  const afterNotice = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    answerLateNotice(view, signal).then(work)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed.abort(browserFailed('The tab was closed.'))
    return release(isSound && busy === 0)
  }
  return {
    goto: (url, caller, options) => during('opening the page', caller, (signal) => goTo(view, url, signal, options)),
    waitFor: (selector, caller) =>
      during('waiting for an element', caller, (signal) => waitFor(view, selector, signal)),
    leaves: (ms, caller) => during('waiting for the page to leave', caller, (signal) => leave(view, ms, signal)),
    url: async () => urlOf(view, closed.signal),
    html: (caller = never) =>
      during('reading the page', caller, (signal) => prepare(signal).then(() => readHtml(view, signal))),
    read: (caller) =>
      during('reading the page', caller, (signal) => prepare(signal).then(() => readDocument(view, signal, noted))),
    evaluate: (script, caller) => during('running a script', caller, (signal) => evaluate(view, script, signal)),
    type: (text, caller) => during('typing', caller, (signal) => type(view, text, signal)),
    press: (key, caller) => during('pressing a key', caller, (signal) => press(view, key, signal)),
    click: (selector, options, caller) =>
      during('clicking', caller, (signal) => click(view, selector, options, signal)),
    scroll: (direction, selector, caller) =>
      during('scrolling', caller, (signal) => scroll(view, direction, selector, signal)),
    screenshot: (options, caller) =>
      during('taking a screenshot', caller, (signal) => afterNotice(signal, () => screenshot(view, options, signal))),
    pdf: (options, caller) =>
      during('printing the page', caller, (signal) => afterNotice(signal, () => pdf(view, options, signal))),
    save: (caller) =>
      during('saving the profile', caller, () => saveState(view, async () => view.session, view.profile.state)),
    warnings: () => [...view.notes, ...noted],
    close: () => (closing ??= close()),
  }
}

function urlOf({ place, frames }: View, closed: AbortSignal): string {
  closed.throwIfAborted()
  place.broken.throwIfAborted()
  return frames.main.url
}

function missingIn({ kind }: PageState): string[] {
  if (kind === 'loading' || kind === 'leaving')
    return ['The page was still loading when it was read. Set waitFor, or an action that waits for a selector.']
  if (kind === 'canvas') return ['The page draws its content on a canvas, which has no text. Take a screenshot.']
  return []
}

/** Runs an operation and converts protocol errors to engine errors. */
async function typed<T>(
  view: View,
  doing: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  view.place.broken.throwIfAborted()
  try {
    return await work(signal)
  } catch (error) {
    signal.throwIfAborted()
    if (view.place.broken.aborted && !EngineError.is(error)) throw view.place.broken.reason
    throw asBrowserFailure(error, doing)
  }
}
