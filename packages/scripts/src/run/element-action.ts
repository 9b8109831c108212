// Performs actions on elements.
import { EngineError, type Clock } from '@harvestman/ports'
import { z } from 'zod'

import { inspect } from '../page/names.ts'
import type { LivePage } from '../page/live-page.ts'
import type { SeenElement } from '../page/seen.ts'
import type { Step } from '../script/schema.ts'

/** An action on an element of the last inspection. */
export interface ElementAction {
  readonly action: Step['action']
  readonly index: number
  readonly element: SeenElement
  readonly value: string | readonly string[]
  /** The only origin where the value may be typed. */
  readonly onlyOn: string | undefined
  /** Redacts secrets in messages. */
  readonly hide: (text: string) => string
}

/** Keyboard and navigation of the session. */
export interface Keys {
  press(key: string, signal: AbortSignal): Promise<void>
  goto(url: string, signal: AbortSignal): Promise<void>
}

/** Context of an action. */
export interface ElementActionKit {
  readonly page: LivePage
  readonly keys: Keys
  readonly clock: Clock
  readonly signal: AbortSignal
}

const aimSchema = z.union([z.object({ x: z.number(), y: z.number() }), z.object({ problem: z.string() })])
const chosenSchema = z.object({ problem: z.string(), odd: z.int() }).nullable()
type Aim = z.output<typeof aimSchema>
const aimsEvery = 40
const maxAims = 25
const special = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'])

/**
 * Performs an action on its element; a `goto` does nothing. Rejects with `action_failed` if the element cannot be used, or a
 * secret may not be filled in on the origin of the page.
 */
export async function carryOut({ page, keys, clock, signal }: ElementActionKit, deed: ElementAction): Promise<void> {
  const { action, index, value } = deed
  if (action === 'click') await click(page, clock, index, signal)
  if (action === 'fill') await fill(page, deed, signal)
  if (action === 'select') {
    const labels = typeof value === 'string' ? [value] : value
    await choose(page, deed, labels, signal)
  }
  if (action === 'press') {
    await focus(page, index, false, signal)
    await keys.press(String(value), signal)
  }
}

async function click(page: LivePage, clock: Clock, index: number, signal: AbortSignal): Promise<void> {
  const aim = await steadyAim(page, clock, index, signal)
  if ('problem' in aim) throw failed(`The element ${aim.problem}.`)
  const send = (type: string, more: object): Promise<unknown> =>
    page.send('Input.dispatchMouseEvent', { type, ...aim, ...more }, signal)
  await send('mouseMoved', {})
  await send('mousePressed', { button: 'left', buttons: 1, clickCount: 1 })
  await send('mouseReleased', { button: 'left', clickCount: 1 })
}

/** Returns the click position once the element has stopped moving. */
async function steadyAim(page: LivePage, clock: Clock, index: number, signal: AbortSignal): Promise<Aim> {
  let before = ''
  for (let count = 1; ; count += 1) {
    const aim = await page.see(inspect('aim', index), aimSchema, signal)
    const now = JSON.stringify(aim)
    if (now === before || count > maxAims) return aim
    before = now
    await clock.sleep(aimsEvery, signal)
  }
}

async function choose(page: LivePage, { index, hide }: ElementAction, labels: readonly string[], signal: AbortSignal) {
  const failure = await page.see(inspect('choose', index, labels), chosenSchema, signal)
  if (failure) throw failed(`The list ${failure.problem} ${JSON.stringify(hide(labels[failure.odd] ?? ''))}.`)
}

async function fill(
  page: LivePage,
  { index, element, value, onlyOn }: ElementAction,
  signal: AbortSignal,
): Promise<void> {
  const text = String(value)
  if (onlyOn !== undefined) await checkOrigin(page, onlyOn, signal)
  if (special.has(element.attributes['type'] ?? '')) {
    await page.see(inspect('put', index, text), z.boolean(), signal)
    return
  }
  await focus(page, index, true, signal)
  if (onlyOn !== undefined) await checkOrigin(page, onlyOn, signal)
  // Inserting an empty string would not clear the selection, so the value is set directly.
  if (text === '') await page.see(inspect('put', index, ''), z.boolean(), signal)
  else await page.send('Input.insertText', { text }, signal)
}

async function focus(page: LivePage, index: number, all: boolean, signal: AbortSignal): Promise<void> {
  const isThere = await page.see(inspect('focus', index, all), z.boolean(), signal)
  if (!isThere) throw failed('The element is gone.')
}

const framesSchema = z.object({ frameTree: z.object({ frame: z.object({ url: z.string() }) }) })

/** Asks the browser for the URL, because the page could lie. */
async function checkOrigin(page: LivePage, origin: string, signal: AbortSignal): Promise<void> {
  const { frameTree } = framesSchema.parse(await page.send('Page.getFrameTree', {}, signal))
  if (URL.parse(frameTree.frame.url)?.origin === origin) return
  throw failed(`This secret may only be filled in on ${origin}.`)
}

function failed(message: string): EngineError {
  return new EngineError('action_failed', message)
}
