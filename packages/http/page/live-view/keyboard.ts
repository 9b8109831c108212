// Sends keys, pasted text and the input of on-screen keyboards to the browser.
import { notify } from './messages.ts'
import { elements, find, findOf, send, view } from './view.ts'

const { address, canvas } = elements
const maxPasted = 50_000
const modifiers = new Set(['Control', 'Alt', 'Meta', 'Shift'])

function sendKey(event: KeyboardEvent): void {
  if (!view.mayAct || modifiers.has(event.key) || event.isComposing) return
  if (event.key === 'Escape' && event.shiftKey) return address.focus()
  // The paste event sends the text.
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return
  event.preventDefault()
  const isOne = event.key.length === 1
  const held = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.metaKey && 'Meta']
  const names = [...held, event.shiftKey && !isOne && 'Shift'].filter(Boolean)
  if (isOne && names.length === 0 && event.key.charCodeAt(0) > 126) send({ type: 'paste', text: event.key })
  else send({ type: 'key', key: [...names, event.key].join('+') })
}

function sendPasted(event: ClipboardEvent): void {
  if (!view.mayAct || document.activeElement === address) return
  event.preventDefault()
  const text = event.clipboardData?.getData('text')
  if (text) send({ type: 'paste', text: text.slice(0, maxPasted) })
}

/** Sends key presses on the canvas, and pasted text. */
export function listenToKeys(): void {
  canvas.addEventListener('keydown', sendKey)
  addEventListener('paste', sendPasted)
}

// Content of the field between inputs. The field is never empty, so that backspace also changes it.
const filler = '\u200b\u200b'
const passedOn = new Set('Enter Backspace Tab Escape ArrowLeft ArrowRight ArrowUp ArrowDown'.split(' '))

/** Sends the input of an on-screen keyboard. These report few keys, so changes of a text field are sent instead. */
export function listenToTouchKeys(): void {
  const field = findOf(HTMLTextAreaElement, '#keys')
  let typed = filler
  const refill = (): void => {
    field.value = typed = filler
  }
  field.addEventListener('input', (event) => {
    sendChange(typed, field.value)
    typed = field.value
    if (!(event instanceof InputEvent && event.isComposing)) refill()
  })
  field.addEventListener('compositionend', refill)
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || !passedOn.has(event.key)) return
    event.preventDefault()
    send({ type: 'key', key: event.key })
  })
  refill()
  find('#keyboard').addEventListener('click', () => field.focus())
}

function sendChange(from: string, to: string): void {
  const [before, now] = [Array.from(from), Array.from(to)]
  let same = 0
  while (same < before.length && before[same] === now[same]) same += 1
  for (let left = before.length - same; left > 0; left -= 1) send({ type: 'key', key: 'Backspace' })
  const [first = '', ...lines] = now.slice(same).join('').split('\n')
  if (first) send({ type: 'paste', text: first })
  for (const line of lines) {
    send({ type: 'key', key: 'Enter' })
    if (line) send({ type: 'paste', text: line })
  }
}

/** Shows the paste button if the browser allows pages to read the clipboard. */
export function offerPasting(): void {
  const button = find('#paste')
  const clipboard: Partial<Clipboard> | undefined = navigator.clipboard
  button.hidden = !clipboard?.readText
  button.addEventListener('click', () => void paste())
}

async function paste(): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => undefined)
  if (text) send({ type: 'paste', text: text.slice(0, maxPasted) })
  else if (text === '') notify('There is nothing to paste.')
  else notify('The browser does not let this page read the clipboard. Paste with the keyboard.')
}
