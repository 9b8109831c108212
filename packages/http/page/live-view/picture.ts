// Draws the frames of the page and fits the canvas into the window.
import { takePicture } from './clock.ts'
import { show } from './messages.ts'
import { elements, find, view } from './view.ts'

const { canvas } = elements
const pen = canvas.getContext('2d')
const main = find('main')
const larger = find('#size')

let latest: ArrayBuffer | undefined
let isBusy = false

/** Draws a frame. Of the frames that arrive while another is drawn, only the last one is drawn. */
export async function draw(data: ArrayBuffer): Promise<void> {
  latest = data
  if (isBusy) return
  isBusy = true
  while (latest) {
    const bytes = latest
    latest = undefined
    await drawOne(bytes)
  }
  isBusy = false
}

async function drawOne(bytes: ArrayBuffer): Promise<void> {
  const head = new DataView(bytes)
  view.size = { width: head.getUint32(0), height: head.getUint32(4) }
  const madeAt = head.getFloat64(8)
  const jpeg = new Blob([bytes.slice(16)], { type: 'image/jpeg' })
  const picture = await createImageBitmap(jpeg).catch(() => undefined)
  if (view.socket?.readyState === 1) view.socket.send('seen')
  if (!picture) return
  if (canvas.width !== picture.width || canvas.height !== picture.height) {
    canvas.width = picture.width
    canvas.height = picture.height
    fit()
  }
  pen?.drawImage(picture, 0, 0)
  picture.close()
  requestAnimationFrame(() => takePicture(madeAt))
  canvas.dataset['frames'] = String(Number(canvas.dataset['frames'] ?? 0) + 1)
  if (view.isShown || view.isOver) return
  view.hasFrame = true
  view.tries = 0
  canvas.classList.remove('empty')
  fit()
  show('live', 'Live')
}

/** Fits the canvas into the window, and offers to enlarge it if it is much smaller than the frame. */
export function fit(): void {
  const isLarge = main.classList.contains('large')
  const isSmaller = canvas.getBoundingClientRect().width <= canvas.width * 0.75
  larger.hidden = !view.hasFrame || (!isLarge && !isSmaller)
  main.classList.toggle('tall', main.clientHeight > canvas.height * 0.6)
}

/** Enables the button that enlarges the frame, and refits the canvas when the window is resized. */
export function followSize(): void {
  larger.addEventListener('click', () => {
    larger.ariaPressed = String(main.classList.toggle('large'))
    fit()
  })
  new ResizeObserver(fit).observe(main)
}
