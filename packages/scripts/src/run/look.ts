// Looks at the page of a run, when there is something to be seen.
import { inspect } from '../page/names.ts'
import { digestSchema, loadingSchema, lookSchema, type Look } from '../page/seen.ts'
import type { HandsKit } from './hands.ts'

/** What a run looks with. */
export interface Looking extends Omit<HandsKit, 'keys'> {
  /** Milliseconds that a page is waited for. */
  readonly stepTimeout: number
  /** The documents that were waited for. */
  readonly loaded: Set<number>
  /** Hides the secrets in a text of the page. */
  readonly hide: (text: string) => string
}

/** Milliseconds between two looks. */
export const looksEvery = 100

/** The page without the secrets that it shows: what is told of it, and kept of a repair, has none. */
export async function lookAt({ page, signal, hide }: Looking): Promise<Look> {
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

/** What is done before a page has its programs is lost. One that never ends to load is waited for once. */
export async function whenLoaded({ page, signal, clock, stepTimeout, loaded }: Looking): Promise<void> {
  const end = clock.now() + stepTimeout
  for (;;) {
    const { document, isLoaded } = await page.see(inspect('loading'), loadingSchema, signal)
    if (!isLoaded && !loaded.has(document) && clock.now() < end) {
      await clock.sleep(looksEvery, signal)
      continue
    }
    loaded.add(document)
    return
  }
}

/** Waits until the page is the same twice in a row, for some looks at most. */
export async function still({ page, clock, signal }: Looking): Promise<void> {
  let before = ''
  for (let look = 0; look < 20; look += 1) {
    const now = JSON.stringify(await page.see(inspect('digest'), digestSchema, signal))
    if (now === before) return
    before = now
    await clock.sleep(looksEvery, signal)
  }
}
