import { EngineError } from '@harvestman/core'
import type { Tab } from '@harvestman/core/ports'

import { asBrowserFailure } from '../lib/errors.ts'
import { evaluate } from './evaluate.ts'
import { goTo } from './goto.ts'
import { click, press, scroll, type, waitFor } from './hands.ts'
import { readHtml } from './html.ts'
import { pdf, screenshot } from './pictures.ts'
import type { View } from './view.ts'

const never = new AbortController().signal

/** The hands and eyes on a page. `release` is called once, when all of it is gone. */
export function makeTab(view: View, release: () => Promise<void>): Tab {
  const during = <T>(doing: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    typed(view, doing, signal, work)
  let closing: Promise<void> | undefined
  return {
    goto: (url, signal) => during('opening the page', signal, () => goTo(view, url, signal)),
    waitFor: (selector, signal) => during('waiting for an element', signal, () => waitFor(view, selector, signal)),
    url: async () => {
      view.place.broken.throwIfAborted()
      return view.frames.main.url
    },
    html: (signal = never) => during('reading the page', signal, () => readHtml(view, signal)),
    evaluate: (script, signal) => during('running a script', signal, () => evaluate(view, script, signal)),
    type: (text, signal) => during('typing', signal, () => type(view, text, signal)),
    press: (key, signal) => during('pressing a key', signal, () => press(view, key, signal)),
    click: (selector, options, signal) => during('clicking', signal, () => click(view, selector, options, signal)),
    scroll: (direction, selector, signal) =>
      during('scrolling', signal, () => scroll(view, direction, selector, signal)),
    screenshot: (options, signal) => during('taking a screenshot', signal, () => screenshot(view, options, signal)),
    pdf: (options, signal) => during('printing the page', signal, () => pdf(view, options, signal)),
    warnings: () => view.notes,
    close: () => (closing ??= release()),
  }
}

/** No error of the protocol leaves a tab. */
async function typed<T>(view: View, doing: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  view.place.broken.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (view.place.broken.aborted && !EngineError.is(error)) throw view.place.broken.reason
    throw asBrowserFailure(error, doing)
  }
}
