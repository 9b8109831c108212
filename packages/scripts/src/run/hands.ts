// What a person could do to an element that was found.
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import type { LivePage } from '../page/live-page.ts'
import type { SeenElement } from '../page/seen.ts'
import type { Step } from '../script/schema.ts'

/** An act on an element of the last look. */
export interface Deed {
  readonly action: Step['action']
  readonly index: number
  readonly element: SeenElement
  readonly value: string | readonly string[]
  /** The one origin whose page may be given the value. */
  readonly onlyOn: string | undefined
}

/** What of a session a run needs beside its page. */
export interface Keys {
  press(key: string, signal: AbortSignal): Promise<void>
  goto(url: string, signal: AbortSignal): Promise<void>
}

const aimSchema = z.union([z.object({ x: z.number(), y: z.number() }), z.object({ problem: z.string() })])
const special = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'])

/** Carries it out. */
export async function carryOut(page: LivePage, keys: Keys, deed: Deed, signal: AbortSignal): Promise<void> {
  const { action, index, value } = deed
  if (action === 'click') await click(page, index, signal)
  if (action === 'fill') await fill(page, deed, signal)
  if (action === 'select') {
    const labels = typeof value === 'string' ? [value] : value
    const problem = await page.see(`eyes.choose(${index}, ${JSON.stringify(labels)})`, z.string(), signal)
    if (problem !== '') throw failed(`The list ${problem}.`)
  }
  if (action === 'press') {
    await focus(page, index, false, signal)
    await keys.press(String(value), signal)
  }
}

async function click(page: LivePage, index: number, signal: AbortSignal): Promise<void> {
  const aim = await page.see(`eyes.aim(${index})`, aimSchema, signal)
  if ('problem' in aim) throw failed(`The element ${aim.problem}.`)
  const send = (type: string, more: object): Promise<unknown> =>
    page.send('Input.dispatchMouseEvent', { type, ...aim, ...more }, signal)
  await send('mouseMoved', {})
  await send('mousePressed', { button: 'left', buttons: 1, clickCount: 1 })
  await send('mouseReleased', { button: 'left', clickCount: 1 })
}

async function fill(page: LivePage, { index, element, value, onlyOn }: Deed, signal: AbortSignal): Promise<void> {
  const text = String(value)
  if (onlyOn !== undefined) await checkOrigin(page, onlyOn, signal)
  if (special.has(element.attributes['type'] ?? '')) {
    await page.see(`eyes.put(${index}, ${JSON.stringify(text)})`, z.boolean(), signal)
    return
  }
  await focus(page, index, true, signal)
  if (onlyOn !== undefined) await checkOrigin(page, onlyOn, signal)
  // Nothing inserted over a selection leaves it: an empty text is put in as one.
  if (text === '') await page.see(`eyes.put(${index}, '')`, z.boolean(), signal)
  else await page.send('Input.insertText', { text }, signal)
}

async function focus(page: LivePage, index: number, all: boolean, signal: AbortSignal): Promise<void> {
  const isThere = await page.see(`eyes.focus(${index}, ${all})`, z.boolean(), signal)
  if (!isThere) throw failed('The element is gone.')
}

const framesSchema = z.object({ frameTree: z.object({ frame: z.object({ url: z.string() }) }) })

/** The browser itself says where the page is, not the page. */
async function checkOrigin(page: LivePage, origin: string, signal: AbortSignal): Promise<void> {
  const { frameTree } = framesSchema.parse(await page.send('Page.getFrameTree', {}, signal))
  if (URL.parse(frameTree.frame.url)?.origin === origin) return
  throw failed(`This secret may be filled in on ${origin} alone.`)
}

function failed(message: string): EngineError {
  return new EngineError('action_failed', message)
}
