// Inspects the page of a run.
import { inspect } from '../page/names.ts'
import { digestSchema, loadingSchema, lookSchema, type Look } from '../page/seen.ts'
import type { ElementActionKit } from './element-action.ts'

/** Context of an inspection. */
export interface Looking extends Omit<ElementActionKit, 'keys'> {
  /** Milliseconds to wait for a page. */
  readonly stepTimeout: number
  /** Ids of documents that were already awaited. */
  readonly loaded: Set<number>
  /** Redacts secrets in text of the page. */
  readonly hide: (text: string) => string
}

/** Polling interval in milliseconds. */
export const pollInterval = 100

/**
 * Returns the page with secrets redacted in its URL, title and the texts and attributes of elements, which errors and stored
 * repairs contain. The states of elements and `signs` are not redacted. Rejects when aborted, or with `action_failed` if the
 * page cannot be read.
 */
export async function readRedactedPage({ page, signal, hide }: Looking): Promise<Look> {
  const look = await page.see(inspect('look'), lookSchema, signal)
  const elements = look.elements.map((element) => ({
    ...element,
    ...{ name: hide(element.name), label: hide(element.label), text: hide(element.text) },
    ...{
      before: hide(element.before),
      after: hide(element.after),
      alone: hide(element.alone),
      row: element.row.map(hide),
    },
    attributes: hidden(element.attributes, hide),
    frame: hidden(element.frame, hide),
  }))
  return { ...look, url: hide(look.url), title: hide(look.title), elements }
}

function hidden(ways: Readonly<Record<string, string>>, hide: Looking['hide']): Record<string, string> {
  return Object.fromEntries(Object.entries(ways).map(([name, value]) => [name, hide(value)]))
}

/**
 * Waits until the page has loaded, because actions before its scripts run are lost. A page that never finishes loading is
 * awaited once. The limit is `stepTimeout` milliseconds; then it resolves as well. Rejects when aborted, or with
 * `action_failed` if the page cannot be read.
 */
export async function waitUntilLoaded({ page, signal, clock, stepTimeout, loaded }: Looking): Promise<void> {
  const end = clock.now() + stepTimeout
  for (;;) {
    const { document, isLoaded } = await page.see(inspect('loading'), loadingSchema, signal)
    if (!isLoaded && !loaded.has(document) && clock.now() < end) {
      await clock.sleep(pollInterval, signal)
      continue
    }
    loaded.add(document)
    return
  }
}

/**
 * Waits until the page is unchanged between two polls. Resolves as well if it still changes after 20 polls. Rejects with the
 * signal's reason if it is aborted, or with `action_failed` if the page cannot be read.
 */
export async function waitUntilStill({ page, clock, signal }: Looking): Promise<void> {
  let before = ''
  for (let look = 0; look < 20; look += 1) {
    const now = JSON.stringify(await page.see(inspect('digest'), digestSchema, signal))
    if (now === before) return
    before = now
    await clock.sleep(pollInterval, signal)
  }
}
