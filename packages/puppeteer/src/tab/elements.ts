import type { Protocol } from '../lib/cdp.ts'
import { actionFailed } from '../lib/errors.ts'
import { pause, race } from '../lib/race.ts'
import { aim, countMatches, endPress, findMatches, watchPress } from '../page-scripts.ts'
import type { Frame } from './frames.ts'
import type { Aim, PressOutcome } from './page-results.ts'
import type { View } from './view.ts'
import { contextLost, handleIn, runIn, ScriptError } from './worlds.ts'

/** An element and the frame that contains it. */
export interface Found {
  readonly frame: Frame
  readonly objectId: string
}

/**
 * Waits until the selector matches in any frame. Resolves to `undefined` after `within` milliseconds. Rejects with
 * `action_failed` for an invalid selector, with the signal's reason, or if the browser ends.
 */
export async function waitForMatch(
  view: View,
  selector: string,
  within: number,
  signal: AbortSignal,
): Promise<Frame | undefined> {
  const end = performance.now() + within
  for (let wait = 20; ; wait = Math.min(wait * 1.5, 250)) {
    for (const frame of view.frames.all()) {
      const count = await inFrame(
        view,
        () => runIn<number>(frame, countMatches, [selector], signal, view.place.broken),
        selector,
      )
      if (count !== contextLost && count > 0) return frame
    }
    if (performance.now() >= end) return undefined
    await pause(Math.min(wait, Math.max(1, end - performance.now())), signal, view.place.broken)
  }
}

/**
 * Returns the matching elements, at most `most`, in the first frame that has any. Empty if there are none. Rejects with
 * `action_failed` for an invalid selector, with the signal's reason, or if the browser fails.
 */
export async function findAll(view: View, selector: string, most: number, signal: AbortSignal): Promise<Found[]> {
  for (const frame of view.frames.all()) {
    const signals = [signal, view.place.broken] as const
    const list = await inFrame(view, () => handleIn(frame, findMatches, [selector, most], ...signals), selector)
    if (list === contextLost || !list.objectId) continue
    const { result } = await race(
      frame.session.send('Runtime.getProperties', { objectId: list.objectId, ownProperties: true }),
      ...signals,
    )
    const ids = result.filter(({ name }) => /^\d+$/.test(name)).flatMap(({ value }) => value?.objectId ?? [])
    if (ids.length > 0) return ids.map((objectId) => ({ frame, objectId }))
  }
  return []
}

async function inFrame<T>(view: View, work: () => Promise<T>, selector: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    throw actionFailed(`"${selector.slice(0, 200)}" is not a CSS selector that this browser knows.`, error)
  }
}

/**
 * Scrolls an element into view. Returns where in its frame it can be clicked, in CSS pixels, or the problem why it cannot,
 * such as `gone`. Rejects with the signal's reason, or if the browser fails.
 */
export async function aimAt(view: View, { frame, objectId }: Found, signal: AbortSignal): Promise<Aim> {
  const result = await callOn(view, frame, objectId, aim, true, signal)
  return (result?.value as Aim | undefined) ?? { problem: 'gone' }
}

/**
 * Calls `press`, which presses where an element is. Returns whether the element received it, what did instead, or `unknown` if
 * the page was left. Rejects if `press` does or the browser fails.
 */
export async function pressWatched(
  view: View,
  { frame, objectId }: Found,
  press: () => Promise<void>,
  signal: AbortSignal,
): Promise<PressOutcome> {
  const watch = await callOn(view, frame, objectId, watchPress, false, signal)
  await press()
  // A press may leave the page, and its watch with it.
  const ended = watch?.objectId && (await callOn(view, frame, watch.objectId, endPress, true, signal))
  return (ended ? (ended.value as PressOutcome | undefined) : undefined) ?? { reached: 'unknown' }
}

/** Calls a script with an object of a page. Resolves to `undefined` if the object or its page no longer exists. */
async function callOn(
  view: View,
  { session }: Frame,
  objectId: string,
  functionDeclaration: string,
  returnByValue: boolean,
  signal: AbortSignal,
): Promise<Protocol.Runtime.RemoteObject | undefined> {
  try {
    const call = { objectId, functionDeclaration, arguments: [{ objectId }], returnByValue }
    return (await view.during(signal, session.send('Runtime.callFunctionOn', call))).result
  } catch {
    signal.throwIfAborted()
    view.place.broken.throwIfAborted()
    return undefined
  }
}

export interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Returns the position of a frame's upper left corner in the window of the page, in CSS pixels. Rejects with the signal's
 * reason, or if the browser fails.
 */
export async function cornerOf(view: View, frame: Frame, signal: AbortSignal): Promise<Point> {
  let [x, y] = [0, 0]
  for (let at = frame; at.parent !== undefined;) {
    const outer = view.frames.find(at.parent)
    if (!outer) break
    const { backendNodeId } = await view.during(signal, outer.session.send('DOM.getFrameOwner', { frameId: at.id }))
    const { model } = await view.during(signal, outer.session.send('DOM.getBoxModel', { backendNodeId }))
    x += model.content[0] ?? 0
    y += model.content[1] ?? 0
    // Coordinates are relative to the outermost frame in the same process.
    at = outermost(view, outer)
  }
  return { x, y }
}

function outermost(view: View, frame: Frame): Frame {
  let at = frame
  for (let outer = at.parent; outer !== undefined; outer = at.parent) {
    const parent = view.frames.find(outer)
    if (!parent || parent.session !== at.session) return at
    at = parent
  }
  return at
}
