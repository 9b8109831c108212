import type { LiveAction } from '@harvestman/ports'

import { actionFailed } from '../lib/errors.ts'
import { chooseOption, endPress, selectAll, watchPress } from '../page-scripts.ts'
import type { PressOutcome } from '../tab/page-results.ts'
import { isRefusal, type LiveTabs, type TabPage } from './tabs.ts'
import { go, goTo, pressKey } from './input.ts'
import type { Referred } from './snapshot.ts'

export type Refs = ReadonlyMap<string, Referred>

type ActionOf<Type extends LiveAction['type']> = Extract<LiveAction, { readonly type: Type }>

type Acts = {
  readonly [Type in LiveAction['type']]: (liveTabs: LiveTabs, refs: Refs, action: ActionOf<Type>) => Promise<void>
}

const acts: Acts = {
  click: async (liveTabs, refs, { ref }) => {
    const { page, node } = await find(liveTabs, refs, ref)
    await clickNode(page, node)
  },
  fill: async (liveTabs, refs, { ref, text, onlyOn }) => {
    const { page, node, isTop } = await find(liveTabs, refs, ref)
    if (onlyOn !== undefined) await checkOrigin(page, isTop, onlyOn)
    await onNode(page, node, selectAll)
    if (onlyOn !== undefined) await checkOrigin(page, isTop, onlyOn)
    if (text === '') await pressKey(page, 'Delete')
    else await page.send('Input.insertText', { text })
  },
  type: async (liveTabs, _refs, { text }) => {
    await (await liveTabs.page()).send('Input.insertText', { text })
  },
  press: async (liveTabs, _refs, { key }) => pressKey(await liveTabs.page(), key),
  select: async (liveTabs, refs, { ref, option }) => {
    const { page, node } = await find(liveTabs, refs, ref)
    const isDone = await onNode(page, node, chooseOption, option)
    if (isDone !== true) throw actionFailed(`The list has no option "${option.slice(0, 100)}".`)
  },
  scroll: async (liveTabs, _refs, { direction }) => {
    const page = await liveTabs.page()
    const expression = `scrollBy({ top: ${direction === 'up' ? -1 : 1} * innerHeight * 0.9, behavior: 'instant' })`
    await page.send('Runtime.evaluate', { expression })
  },
  goto: async (liveTabs, _refs, { url }) => goTo(await liveTabs.page(), url),
  back: async (liveTabs) => {
    const page = await liveTabs.page()
    const { currentIndex } = await page.send('Page.getNavigationHistory')
    // A tab opened by another one has no history, so going back means closing it.
    if (currentIndex === 0 && liveTabs.tabs.length > 1) await page.send('Page.close')
    else await go(page, 'back')
  },
}

/**
 * Performs a user action on the tab in front. Rejects with `action_failed` if it is not possible, such as for an unknown
 * reference, and with `browser_failed` if the browser fails or has no tab.
 */
export function act<Type extends LiveAction['type']>(
  liveTabs: LiveTabs,
  refs: Refs,
  action: ActionOf<Type>,
): Promise<void> {
  const one = acts[action.type]
  return one(liveTabs, refs, action)
}

async function find(liveTabs: LiveTabs, refs: Refs, ref: string): Promise<Referred & { readonly page: TabPage }> {
  const referred = refs.get(ref.replace(/^@/, ''))
  const page = await liveTabs.page()
  if (!referred || referred.pageId !== page.id)
    throw actionFailed(`The last snapshot has no ${ref.slice(0, 20)}. Take another one, and use its references.`)
  return { ...referred, page }
}

/** Throws unless the page has the origin. The typed value may be a secret, so this asks the browser, not the page. */
async function checkOrigin(page: TabPage, isTop: boolean, origin: string): Promise<void> {
  const { frameTree } = await page.send('Page.getFrameTree')
  const { url } = (frameTree as { frame: { url: string } }).frame
  if (isTop && URL.parse(url)?.origin === origin) return
  throw actionFailed(`This text may only be filled in on ${origin}, and the field is on another origin.`)
}

/** Number of times that a click is tried on an element that keeps moving, and milliseconds in between. */
const clicking = { tries: 20, rest: 100 }

async function clickNode(page: TabPage, backendNodeId: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const point = await pointOf(page, backendNodeId)
    const outcome = await pressWatched(page, backendNodeId, () => pressAt(page, point))
    if (outcome.reached !== 'other') return
    if (tries === clicking.tries)
      throw actionFailed(`The element is covered by something else (by ${outcome.by}). Close that first.`)
    await new Promise((resolve) => setTimeout(resolve, clicking.rest))
  }
}

async function pressAt(page: TabPage, point: { readonly x: number; readonly y: number }): Promise<void> {
  const send = (type: string, more: object): Promise<unknown> =>
    page.send('Input.dispatchMouseEvent', { type, ...point, ...more })
  await send('mouseMoved', {})
  await send('mousePressed', { button: 'left', buttons: 1, clickCount: 1 })
  await send('mouseReleased', { button: 'left', clickCount: 1 })
}

/** Presses where a node is. Returns where the press went; if it went elsewhere, the page has not seen it. */
async function pressWatched(page: TabPage, backendNodeId: number, press: () => Promise<void>): Promise<PressOutcome> {
  const call = async (objectId: string, code: string, returnByValue: boolean): Promise<RemoteObject | undefined> => {
    const given = { objectId, functionDeclaration: code, arguments: [{ objectId }], returnByValue }
    const { result } = await page.send('Runtime.callFunctionOn', given)
    return result as RemoteObject
  }
  const watch = await page
    .send('DOM.resolveNode', { backendNodeId })
    .then(({ object }) => call((object as { objectId: string }).objectId, watchPress, false))
    .catch(() => undefined)
  await press()
  // A press may leave the page, and its watch with it.
  const ended = watch?.objectId && (await call(watch.objectId, endPress, true).catch(() => undefined))
  return (ended ? (ended.value as PressOutcome | undefined) : undefined) ?? { reached: 'unknown' }
}

interface RemoteObject {
  readonly objectId?: string
  readonly value?: unknown
}

async function pointOf(page: TabPage, backendNodeId: number): Promise<{ x: number; y: number }> {
  const problem = 'The element cannot be clicked: it is gone, or cannot be seen.'
  const { quads } = await orRefused(problem, async () => {
    await page.send('DOM.scrollIntoViewIfNeeded', { backendNodeId })
    return page.send('DOM.getContentQuads', { backendNodeId })
  })
  const [quad] = quads as number[][]
  if (!quad) throw actionFailed(problem)
  const [x = 0, y = 0] = [0, 1].map(
    (axis) => [0, 2, 4, 6].reduce((sum, corner) => sum + (quad[corner + axis] ?? 0), 0) / 4,
  )
  return { x, y }
}

/** Settles like the work, but rejects with `action_failed` and the sentence if the browser refuses a command. */
async function orRefused<T>(sentence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isRefusal(error) ? actionFailed(sentence, error) : error
  }
}

async function onNode(
  page: TabPage,
  backendNodeId: number,
  code: string,
  ...args: readonly string[]
): Promise<unknown> {
  const result = await orRefused('The element is not there any more. Take another snapshot.', async () => {
    const { object } = await page.send('DOM.resolveNode', { backendNodeId })
    const { objectId } = object as { objectId: string }
    const called = await page.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: code,
      arguments: [{ objectId }, ...args.map((value) => ({ value }))],
      returnByValue: true,
    })
    return called['result']
  })
  return (result as { value?: unknown }).value
}
