// Records all input of the page, whether a user, a task or code causes it. Each action is reported before the page receives
// it, with the state of the element at that time. Values of password fields are never reported.
import type { z } from 'zod'

import { inspectorName, listenersName, reportName } from '../src/page/names.ts'
import type { afterSchema, Digest, heardSchema, outcomeSchema, SeenElement } from '../src/page/seen.ts'
import type { AnyElement } from '../../ports/page/elements.ts'
import { firstOf, isFrame } from './frames.ts'
import type { Inspector } from './inspector.ts'

declare global {
  var harvestmanInspector: Inspector
  var harvestmanReport: ((message: string) => void) | undefined
}

type Report = z.input<typeof heardSchema>
type ActionType = 'click' | 'fill' | 'select' | 'press'
type Details = Pick<Extract<Report, { type: ActionType }>, 'value' | 'isSecret' | 'origin' | 'key'>

interface View {
  readonly element: Element
  readonly after: z.input<typeof afterSchema> | undefined
  readonly target: SeenElement & { readonly place: { readonly index: number; readonly of: number } }
  readonly page: Digest
}

interface Last {
  readonly id: string
  readonly element: Element
  readonly type: ActionType
}

const specialTypes = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'])
const notTyped = /^(?:checkbox|radio|button|submit|reset|image|file|range|color)$/
const keys = new Set(['Enter', 'Escape', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'])

const report = (message: Report): void => globalThis[reportName]?.(JSON.stringify(message))

function isText(element: AnyElement): boolean {
  if (element.isContentEditable || element.localName === 'textarea') return true
  return element.localName === 'input' && !notTyped.test(element.type ?? '')
}

const textIn = (element: AnyElement): string =>
  (element.isContentEditable ? element.innerText?.trim() : element.value) ?? ''

type Listener<E extends Event = Event> = (event: E) => void

function makeListeners(inspector: Inspector) {
  let last: Last | undefined
  let count = 0
  // Returns the current state of the element of the previous action.
  const outcome = (): View['after'] => {
    if (!last) return undefined
    const isVisible = inspector.isVisible(last.element)
    return { id: last.id, isGone: !isVisible, state: isVisible ? inspector.stateOf(last.element) : undefined }
  }
  const viewOf = (element: Element): View => ({
    element,
    after: outcome(),
    target: { ...inspector.describe(element), place: inspector.place(element) },
    page: inspector.digest(),
  })
  const act = (type: ActionType, view: View, details: Details = {}): void => {
    const { element, after, target, page } = view
    count += 1
    last = { id: `${performance.timeOrigin}:${count}`, element, type }
    report({ type, id: last.id, target, page, after, ...details })
  }
  const enter = (type: 'fill' | 'select', element: Element, details: Details): void => {
    if (last?.element !== element || last.type !== type) return act(type, viewOf(element), details)
    report({ type: 'again', id: last.id, value: details.value, isSecret: details.isSecret })
  }
  const fields = { input: listenToInput(enter), change: listenToChange(enter) }
  return { outcome, listeners: { ...listenToClicks(inspector, viewOf, act), ...fields } }
}

type ViewOf = (element: Element) => View
type Act = (type: ActionType, view: View, details?: Details) => void
type Enter = (type: 'fill' | 'select', element: Element, details: Details) => void

function listenToClicks(inspector: Inspector, viewOf: ViewOf, act: Act) {
  let enteredAt = -1
  // Pages may react to the press of the mouse button already, so read the element before that.
  let pressed: View | undefined
  const pointerdown: Listener = (event) => {
    const element = event.isTrusted ? inspector.targetOf(event) : undefined
    pressed = element && viewOf(element)
  }
  const click: Listener<MouseEvent> = (event) => {
    if (!event.isTrusted) return
    const first = firstOf(event)
    const label: AnyElement | null | undefined = first?.closest('label')
    // Ignore clicks that the browser generates itself: on the field of a clicked label, and on the submit button after Enter.
    if (first && label?.control && !label.control.contains(first)) return
    if (event.detail === 0 && event.timeStamp - enteredAt < 500) return
    const element = inspector.targetOf(event)
    if (!element || /^(?:select|option|html|body)$/.test(element.localName)) return
    act('click', pressed?.element === element ? pressed : viewOf(element))
  }
  const keydown: Listener<KeyboardEvent> = (event) => {
    if (!event.isTrusted || event.repeat || event.isComposing) return
    const element = firstOf(event)
    if (!element) return
    const isArrow = /^Arrow(?:Left|Right)$/.test(event.key) && !isText(element)
    if (!keys.has(event.key) && !isArrow) return
    // Enter in a multi-line field is part of its value. Keys in a list have no effect until an option is chosen.
    if (event.key === 'Enter' && (element.localName === 'textarea' || element.isContentEditable)) return
    if (element.localName === 'select') return
    if (event.key === 'Enter') enteredAt = event.timeStamp
    act('press', viewOf(element), { key: event.key })
  }
  return { pointerdown, click, keydown }
}

function listenToInput(enter: Enter): Listener {
  return (event) => {
    const element = firstOf(event)
    if (!element) return
    const isSpecial = element.localName === 'input' && specialTypes.has(element.type ?? '')
    if (!isSpecial && (!event.isTrusted || !isText(element))) return
    const isSecret = element.type === 'password'
    const value = isSecret ? undefined : textIn(element).slice(0, 10_000)
    enter('fill', element, { value, isSecret, origin: location.origin })
  }
}

function listenToChange(enter: Enter): Listener {
  return (event) => {
    const element = firstOf(event)
    if (element?.localName !== 'select') return
    const labels = [...(element.selectedOptions ?? [])].map((one) => one.label.trim()).slice(0, 100)
    enter('select', element, { value: element.multiple ? labels : (labels[0] ?? '') })
  }
}

/** Adds the listeners to the page and its same-origin frames, once per document. */
export function installListeners(): void {
  if (Object.hasOwn(globalThis, listenersName) || globalThis.top !== globalThis.self) return
  const inspector = globalThis[inspectorName]
  const { outcome, listeners } = makeListeners(inspector)
  const listenedTo = new WeakSet<EventTarget>()
  const load: Listener = ({ target }) => {
    if (target && 'localName' in target && isFrame(target as Element)) listenIn(inspector.documentIn(target as Element))
  }
  const listenIn = (place: EventTarget | undefined): void => {
    if (!place || listenedTo.has(place)) return
    listenedTo.add(place)
    for (const [type, listener] of Object.entries({ ...listeners, load }))
      place.addEventListener(type, listener as Listener, true)
  }
  listenIn(globalThis.window)
  // If the page closes its tab, `closed` is already true at this point.
  globalThis.addEventListener('pagehide', () => globalThis.closed || report({ type: 'leaves' }))
  for (const inner of inspector.documents().slice(1)) listenIn(inner)
  const read = (): z.input<typeof outcomeSchema> => ({ after: outcome(), page: inspector.digest() })
  Object.assign(globalThis, { [listenersName]: { outcome: read } })
}
