import type { Session } from '../lib/cdp.ts'
import { actionFailed } from '../lib/errors.ts'
import { pause } from '../lib/race.ts'
import { readFocus, scrollElement, scrollPage } from '../page-scripts.ts'
import { aimAt, cornerOf, findAll, pressWatched, waitForMatch, type Found, type Point } from './elements.ts'
import { keyEvents, keyFor, parseStroke, type Stroke } from './keys.ts'
import type { Aim, Problem } from './page-results.ts'
import { forActions, settle } from './settle.ts'
import type { View } from './view.ts'
import { contextLost, runIn } from './worlds.ts'

const maxWait = 30_000
// How long to wait for a button to appear or to become free, in milliseconds, as a user would.
const graceful = 2_000
const maxClicks = 200

/**
 * Waits until a selector matches in any frame or open shadow root. Rejects with `action_failed` after 30 seconds, or if the
 * selector is invalid.
 */
export async function waitFor(view: View, selector: string, signal: AbortSignal): Promise<void> {
  const frame = await waitForMatch(view, selector, maxWait, signal)
  if (!frame) throw actionFailed(`Nothing on the page matches "${shown(selector)}" after 30 seconds.`)
}

/**
 * Clicks the first matching element that is visible, for which it waits up to 2 seconds. With `all`, it clicks each element
 * that matches now, at most 200. Then it waits until the page has settled. Rejects with `action_failed` if there is none,
 * unless `all` is set, or if an element cannot be clicked.
 */
export async function click(
  view: View,
  selector: string,
  { all }: { readonly all: boolean },
  signal: AbortSignal,
): Promise<void> {
  const frame = await waitForMatch(view, selector, all ? 0 : graceful, signal)
  if (!frame) {
    if (all) return
    throw actionFailed(`Nothing on the page matches "${shown(selector)}".`)
  }
  const found = await findAll(view, selector, all ? maxClicks : 20, signal)
  if (all) for (const one of found) await clickOne(view, one, selector, 0, signal)
  else await clickFirst(view, found, selector, signal)
  await settle(view, forActions, signal)
}

/** Clicks the first of several matching elements that is visible. */
async function clickFirst(view: View, found: readonly Found[], selector: string, signal: AbortSignal): Promise<void> {
  for (const one of found) {
    const { problem } = { problem: undefined, ...(await aimAt(view, one, signal)) }
    if (problem === 'hidden' && found.length > 1) continue
    return clickOne(view, one, selector, graceful, signal)
  }
  if (found[0]) await clickOne(view, found[0], selector, graceful, signal)
  else throw actionFailed(`Nothing on the page matches "${shown(selector)}".`)
}

const sentences: Readonly<Record<Problem, string>> = {
  gone: 'was removed from the page before it could be clicked',
  hidden: 'is not visible. Wait for it, or first make it appear',
  disabled: 'is disabled. First enable it',
  covered: 'is covered by something else. Close that first',
  outside: 'cannot be scrolled into view',
}

async function clickOne(
  view: View,
  found: Found,
  selector: string,
  within: number,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + within
  const lastTry = performance.now() + graceful
  for (;;) {
    const aim = await clickAt(view, found, signal)
    if (!aim) return
    if (aim.problem === 'gone' || performance.now() >= (aim.moved ? lastTry : end)) {
      const by = aim.by ? ` (by ${aim.by})` : ''
      throw actionFailed(`The element "${shown(selector)}" ${sentences[aim.problem].replace('else.', `else${by}.`)}.`)
    }
    await pause(50, signal, view.place.broken)
  }
}

/** Clicks an element once. Resolves to `undefined` if the element was clicked, otherwise to the problem. */
async function clickAt(view: View, found: Found, signal: AbortSignal): Promise<Missed | undefined> {
  const aim = await aimAt(view, found, signal)
  if ('problem' in aim) return { ...aim, moved: false }
  const point = await inWindow(view, found, aim, signal)
  const outcome = await pressWatched(view, found, () => pressAt(view, point, signal), signal)
  return outcome.reached === 'other' ? { problem: 'covered', by: outcome.by, moved: true } : undefined
}

/** Why a click did not reach its element; `moved` if something else came to its place after it was measured. */
type Missed = Extract<Aim, { problem: Problem }> & { readonly moved: boolean }

async function inWindow(
  view: View,
  { frame }: Found,
  { x, y }: Exclude<Aim, { problem: Problem }>,
  signal: AbortSignal,
): Promise<Point> {
  const corner = await cornerOf(view, frame, signal)
  return { x: corner.x + x, y: corner.y + y }
}

async function pressAt(view: View, { x, y }: Point, signal: AbortSignal): Promise<void> {
  if (view.profile.mobile) {
    await send(view, signal, 'Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    return send(view, signal, 'Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const mouse = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased'): Promise<void> =>
    send(view, signal, 'Input.dispatchMouseEvent', {
      type,
      x,
      y,
      ...(type !== 'mouseMoved' && { button: 'left' as const, clickCount: 1 }),
      ...(type === 'mousePressed' && { buttons: 1 }),
    })
  await mouse('mouseMoved')
  await mouse('mousePressed')
  await mouse('mouseReleased')
}

/**
 * Sends input to the page. The response comes only after a dialog that the input opens is closed, and never if the page is
 * left.
 */
async function send(view: View, signal: AbortSignal, ...message: Parameters<Session['send']>): Promise<void> {
  try {
    await view.during(signal, view.session.send(...message) as Promise<unknown>)
  } catch (error) {
    signal.throwIfAborted()
    view.place.broken.throwIfAborted()
    throw actionFailed('The page rejected the input.', error)
  }
}

// Splits text into user-perceived characters: most emojis consist of several code units.
// Created on first use, because that is slow.
let segmenter: Intl.Segmenter | undefined

// After this many characters, the rest is inserted as if it were pasted.
const maxTyped = 1_000
const pastePiece = 10_000

/**
 * Types text into the focused element and waits until the page has settled. Rejects with `action_failed` if nothing has the
 * focus.
 */
export async function type(view: View, text: string, signal: AbortSignal): Promise<void> {
  const state = await runIn<string>(view.frames.main, readFocus, [], signal, view.place.broken)
  if (state === 'none' || state === contextLost) {
    throw actionFailed('Nothing on the page has the focus, so there is nowhere to write. Click a field first.')
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const graphemes = Array.from(segmenter.segment(text.replaceAll('\r\n', '\n')), ({ segment }) => segment)
  for (const grapheme of graphemes.slice(0, maxTyped)) {
    const key = keyFor(grapheme)
    if (key) await strike(view, { held: [], key }, signal)
    else await send(view, signal, 'Input.insertText', { text: grapheme })
  }
  for (let start = maxTyped; start < graphemes.length; start += pastePiece) {
    await send(view, signal, 'Input.insertText', { text: graphemes.slice(start, start + pastePiece).join('') })
  }
  await settle(view, forActions, signal)
}

/**
 * Presses a key or key combination and waits until the page has settled. Rejects with `action_failed` if there is no such key.
 */
export async function press(view: View, name: string, signal: AbortSignal): Promise<void> {
  const stroke = parseStroke(name)
  if (!stroke) {
    throw actionFailed(`"${shown(name)}" is not a key. Use a name such as Enter, Tab, ArrowDown, a or Control+A.`)
  }
  await strike(view, stroke, signal)
  await settle(view, forActions, signal)
}

async function strike(view: View, stroke: Stroke, signal: AbortSignal): Promise<void> {
  for (const event of keyEvents(stroke)) await send(view, signal, 'Input.dispatchKeyEvent', event)
}

// Slightly less than the visible height, so that nothing is skipped.
const share = 0.9

/**
 * Scrolls the page or a matching element, for which it waits up to 2 seconds, by 90% of its visible height and waits until the
 * page has settled. Rejects with `action_failed` if nothing matches, or if the page navigates meanwhile.
 */
export async function scroll(
  view: View,
  direction: 'up' | 'down',
  selector: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const args = [direction === 'up', share, view.profile.pictures !== false] as const
  if (selector === undefined) {
    const outcome = await runIn(view.frames.main, scrollPage, args, signal, view.place.broken)
    if (outcome === contextLost) throw actionFailed('The page navigated while it was scrolled.')
  } else {
    const frame = await waitForMatch(view, selector, graceful, signal)
    const [found] = frame ? await findAll(view, selector, 1, signal) : []
    if (!found) throw actionFailed(`Nothing on the page matches "${shown(selector)}".`)
    await view.during(
      signal,
      found.frame.session.send('Runtime.callFunctionOn', {
        objectId: found.objectId,
        functionDeclaration: scrollElement,
        arguments: [{ objectId: found.objectId }, ...args.map((value) => ({ value }))],
        returnByValue: true,
      }),
    )
  }
  await settle(view, forActions, signal)
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
