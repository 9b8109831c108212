import { describe, expect, test } from 'vitest'

import { makePictures } from './pictures.ts'
import type { Message } from './heard.ts'
import type { Line } from './switch.ts'

interface Heard {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  answer(result: object): void
}

/** A browser that answers when it is told to. */
function fakeLine(size = { width: 1_280, height: 800 }): { line: Line; heard: Heard[] } {
  const heard: Heard[] = []
  const ask = (method: string, params: object = {}): Promise<Message> => {
    if (method === 'Page.getLayoutMetrics') return Promise.resolve({ result: { cssContentSize: size } })
    return new Promise((resolve) => {
      heard.push({ method, params: { ...params }, answer: (result) => resolve({ result: { ...result } }) })
    })
  }
  const line: Line = { ask, owns: () => true, onEvent: undefined, onClosed: undefined, close: () => undefined }
  return { line, heard }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What the browser hears of a command; nothing when it is refused. */
async function passedOn(method: string, params: object, size?: { width: number; height: number }, ratio = 1) {
  const { line, heard } = fakeLine(size)
  void makePictures(ratio).carryOut(method, { ...params }, line, 'page')
  await settled()
  return heard[0]?.params
}

const clip = (width: number, height: number, scale = 1): object => ({ clip: { x: 0, y: 0, width, height, scale } })
const screen = (width: number, height: number, deviceScaleFactor: number): object => ({
  width,
  height,
  deviceScaleFactor,
  mobile: false,
})

describe('what asks for more than can be drawn at once is not passed on:', () => {
  test.each<[string, object]>([
    ['Page.captureScreenshot', clip(20_000, 20_000)],
    ['Page.captureScreenshot', clip(10, 20_000)],
    ['Page.captureScreenshot', clip(1_000, 1_000, 100)],
    ['Page.captureScreenshot', clip(-20_000, -20_000)],
    ['Page.captureScreenshot', { clip: 7 }],
    ['Page.captureScreenshot', { clip: { x: 0, y: 0, width: '20000', height: 20_000 } }],
    ['Emulation.setDeviceMetricsOverride', screen(20_000, 20_000, 1)],
    ['Emulation.setDeviceMetricsOverride', screen(20_000, 0, 1)],
    ['Emulation.setDeviceMetricsOverride', screen(8_000, 8_000, 4)],
    ['Emulation.setDeviceMetricsOverride', { ...screen(800, 600, 1), screenWidth: 1e9, screenHeight: 1e9 }],
    ['Page.printToPDF', { paperWidth: 20_000 }],
    ['Page.printToPDF', { paperWidth: 10, paperHeight: 10, marginLeft: 4.999, marginRight: 4.999 }],
    ['Page.printToPDF', { paperWidth: 0.001, paperHeight: 0.001, marginLeft: 0, marginTop: 0 }],
    ['Page.printToPDF', { paperHeight: 'high' }],
  ])('%s %j', async (method, params) => {
    expect(await passedOn(method, params)).toBeUndefined()
  })
})

test('a whole page is drawn as large as it was measured, and not at all when that is too large', async () => {
  const whole = { captureBeyondViewport: true }
  expect(await passedOn('Page.captureScreenshot', whole, { width: 1_280, height: 9_000 })).toEqual({
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: 1_280, height: 9_000, scale: 1 },
  })
  expect(await passedOn('Page.captureScreenshot', whole, { width: 20_000, height: 20_000 })).toBeUndefined()
})

test('a picture of the window alone, a sheet of paper and a window of usual size are passed on', async () => {
  expect(await passedOn('Page.captureScreenshot', { format: 'jpeg' })).toEqual({ format: 'jpeg' })
  expect(await passedOn('Page.printToPDF', { landscape: true })).toEqual({ landscape: true })
  expect(await passedOn('Emulation.setDeviceMetricsOverride', screen(1_280, 800, 2))).toEqual(screen(1_280, 800, 2))
})

test('nothing that a window is given beside its size makes it larger', async () => {
  const more = { scale: 1_000, viewport: { x: 0, y: 0, width: 1e6, height: 1e6, scale: 10 } }
  expect(await passedOn('Emulation.setDeviceMetricsOverride', { ...screen(0, 0, 1_000), ...more })).toEqual(
    screen(0, 0, 4),
  )
})

test('a cast is at most as large as one can look at', async () => {
  expect(await passedOn('Page.startScreencast', { maxWidth: 1e9, format: 'png' })).toEqual({
    format: 'png',
    maxWidth: 2_048,
    maxHeight: 2_048,
  })
})

test('how sharp a page is drawn counts, also what another client asked for and took back', async () => {
  expect(await passedOn('Page.captureScreenshot', clip(4_000, 4_000), undefined, 2.625)).toBeUndefined()
  const { line, heard } = fakeLine()
  const pictures = makePictures(1)
  for (const factor of [4, 1]) {
    void pictures.carryOut('Emulation.setDeviceMetricsOverride', { ...screen(800, 600, factor) }, line, 'page')
  }
  const outcome = await pictures.carryOut('Page.captureScreenshot', { ...clip(4_000, 4_000) }, line, 'page')
  expect(outcome).toMatchObject({ refusal: expect.stringContaining('smaller clip') })
  expect(heard).toHaveLength(2)
})

test('pictures of one browser are made one after the other', async () => {
  const { line, heard } = fakeLine()
  const pictures = makePictures(1)
  const take = (method: string): Promise<unknown> => pictures.carryOut(method, {}, line, 'page')
  const all = [take('Page.captureScreenshot'), take('Page.printToPDF'), take('Page.captureScreenshot')]
  for (const count of [1, 2, 3]) {
    await settled()
    expect(heard).toHaveLength(count)
    heard.at(-1)?.answer({ data: '' })
  }
  expect(await Promise.all(all)).toHaveLength(3)
})
