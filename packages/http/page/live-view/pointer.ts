// Sends mouse and touch input on the canvas to the browser.
import { elements, send, view } from './view.ts'

const { canvas } = elements
const moveEvery = 30
const dragFrom = 8

function pointOf(event: MouseEvent): { x: number; y: number } {
  const box = canvas.getBoundingClientRect()
  const { width, height } = view.size
  const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))
  return {
    x: clamp(((event.clientX - box.left) / box.width) * width, width),
    y: clamp(((event.clientY - box.top) / box.height) * height, height),
  }
}

const sendMouse = (kind: 'move' | 'down' | 'up', event: MouseEvent): void =>
  send({ type: 'mouse', kind, ...pointOf(event) })

/** Sends clicks, moves and wheel events. Dragging a finger scrolls, and a tap clicks. */
export function listenToPointer(): void {
  let touch: { x: number; y: number; isDrag: boolean } | undefined
  let movedAt = 0
  const drag = (event: PointerEvent): void => {
    if (!touch) return
    const [dx, dy] = [touch.x - event.clientX, touch.y - event.clientY]
    if (!touch.isDrag && Math.hypot(dx, dy) < dragFrom) return
    const scale = view.size.width / canvas.getBoundingClientRect().width
    send({ type: 'wheel', ...pointOf(event), dx: dx * scale, dy: dy * scale })
    touch = { x: event.clientX, y: event.clientY, isDrag: true }
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (!view.mayAct) return
    canvas.focus({ preventScroll: true })
    if (event.pointerType !== 'mouse') {
      touch = { x: event.clientX, y: event.clientY, isDrag: false }
      return
    }
    canvas.setPointerCapture(event.pointerId)
    sendMouse('down', event)
  })
  canvas.addEventListener('pointermove', (event) => {
    if (!view.mayAct) return
    if (event.pointerType !== 'mouse') return drag(event)
    if (performance.now() - movedAt < moveEvery) return
    movedAt = performance.now()
    sendMouse('move', event)
  })
  canvas.addEventListener('pointerup', (event) => {
    if (!view.mayAct) return
    if (event.pointerType === 'mouse') return sendMouse('up', event)
    if (touch && !touch.isDrag) for (const kind of ['move', 'down', 'up'] as const) sendMouse(kind, event)
    touch = undefined
  })
  canvas.addEventListener('pointercancel', () => {
    touch = undefined
  })
  canvas.addEventListener('wheel', sendWheel, { passive: false })
  canvas.addEventListener('contextmenu', (event) => event.preventDefault())
}

function sendWheel(event: WheelEvent): void {
  if (!view.mayAct) return
  event.preventDefault()
  const unit = event.deltaMode === 1 ? 24 : 1
  send({ type: 'wheel', ...pointOf(event), dx: event.deltaX * unit, dy: event.deltaY * unit })
}
