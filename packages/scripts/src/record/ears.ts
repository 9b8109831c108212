/** The name under which the page tells of acts, in the world of its own. */
export const tellName = 'harvestmanTell'

/**
 * Hears what is done to the page, by whichever hand: a person in the live view, a task in words, or code. Each act is told
 * before the page knows of it, with the element as it is then. What is typed into a password field is never told.
 */
export const earsSource = /* js */ `(() => {
if (globalThis.ears || globalThis.top !== globalThis.self) return
let last
const special = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'])
const tell = (message) => globalThis.${tellName}?.(JSON.stringify(message))
// How the element of the act before stands by now.
const outcome = () => last && { id: last.id, isGone: !eyes.isVisible(last.element), state: eyes.isVisible(last.element) ? eyes.stateOf(last.element) : undefined }
let count = 0
const view = (element) => ({ element, after: outcome(), target: { ...eyes.describe(element), place: eyes.place(element) }, page: eyes.digest() })
const act = (type, element, more = {}, { after, target, page } = view(element)) => {
  count += 1
  last = { id: performance.timeOrigin + ':' + count, element, type }
  tell({ type, id: last.id, target, page, after, ...more })
}
const isText = (element) => element.isContentEditable || element.localName === 'textarea' || (element.localName === 'input' && !/^(?:checkbox|radio|button|submit|reset|image|file|range|color)$/.test(element.type))
let enteredAt = -1
// Pages act on the press of a button already, so what is clicked is looked at before that.
let pressed
const hearing = {}
hearing.pointerdown = (event) => {
  const element = event.isTrusted ? eyes.targetOf(event) : undefined
  pressed = element && view(element)
}
hearing.click = (event) => {
  if (!event.isTrusted) return
  const [first] = event.composedPath()
  const label = first?.closest?.('label')
  // The browser clicks the field of a label, and the button of a form that Enter sends, once more by itself.
  if (label?.control && !label.control.contains(first)) return
  if (event.detail === 0 && event.timeStamp - enteredAt < 500) return
  const element = eyes.targetOf(event)
  if (!element || /^(?:select|option|html|body)$/.test(element.localName)) return
  act('click', element, {}, pressed?.element === element ? pressed : view(element))
}
const textIn = (element) => (element.isContentEditable ? element.innerText.trim() : element.value)
hearing.input = (event) => {
  const [element] = event.composedPath()
  if (element?.nodeType !== 1) return
  const isSpecial = element.localName === 'input' && special.has(element.type)
  if (!isSpecial && (!event.isTrusted || !isText(element))) return
  const isSecret = element.type === 'password'
  const value = isSecret ? undefined : textIn(element).slice(0, 10000)
  if (last?.element === element && last.type === 'fill') return tell({ type: 'again', id: last.id, value, isSecret })
  act('fill', element, { value, isSecret, origin: location.origin })
}
hearing.change = (event) => {
  const [element] = event.composedPath()
  if (element?.localName !== 'select') return
  const value = [...element.selectedOptions].map((one) => one.label.trim()).slice(0, 100)
  if (last?.element === element && last.type === 'select') return tell({ type: 'again', id: last.id, value: element.multiple ? value : value[0] ?? '' })
  act('select', element, { value: element.multiple ? value : value[0] ?? '' })
}
const keys = new Set(['Enter', 'Escape', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'])
hearing.keydown = (event) => {
  if (!event.isTrusted || event.repeat || event.isComposing) return
  const element = event.composedPath()[0]
  if (element?.nodeType !== 1) return
  const isArrow = /^Arrow(?:Left|Right)$/.test(event.key) && !isText(element)
  if (!keys.has(event.key) && !isArrow) return
  // A new line in a text is text, and a list that is open is one's own affair until something is chosen.
  if (event.key === 'Enter' && (element.localName === 'textarea' || element.isContentEditable)) return
  if (element.localName === 'select') return
  if (event.key === 'Enter') enteredAt = event.timeStamp
  act('press', element, { key: event.key })
}
// In the page, and in each of its frames that are looked into.
const heardIn = new WeakSet()
const hearIn = (place) => {
  if (!place || heardIn.has(place)) return
  heardIn.add(place)
  for (const [type, hear] of Object.entries(hearing)) place.addEventListener(type, hear, true)
}
hearing.load = ({ target }) => {
  if (/^i?frame$/i.test(target.nodeName)) hearIn(eyes.documentIn(target))
}
hearIn(globalThis)
// A page that closes its tab is closed by then.
globalThis.addEventListener('pagehide', () => globalThis.closed || tell({ type: 'leaves' }))
for (const inner of eyes.documents().slice(1)) hearIn(inner)
globalThis.ears = { outcome: () => ({ after: outcome(), page: eyes.digest() }) }
})()`
