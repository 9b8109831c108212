import { isDrawable, drawableLimits } from '../lib/drawable.ts'
import { isDoneWithin } from '../lib/race.ts'
import { pass, type Outcome } from './outcome.ts'
import type { Params } from './shapes.ts'
import type { Line } from './switch.ts'

/** The commands that make a live browser draw. Commands that exceed the pixel limit are rejected. */
export interface Pictures {
  has(method: string): boolean
  carryOut(method: string, params: Params, line: Line, sessionId: string): Promise<Outcome>
}

const maxScreen = 8_192
const maxRatio = 4
// Side lengths of paper in inches. A0 is 47 inches high.
const paper = { least: 1, most: 100 }
const castSide = 2_048
// Maximum time in milliseconds that one picture may block the pictures of other tabs.
const turnWithin = 15_000

type Take = (params: Params, ask: (method: string, params: object) => Promise<Outcome>) => Promise<Outcome>

/**
 * Creates the picture commands that all clients of a live browser share. `ratio` is the initial device scale factor. A client
 * may change it while a picture is pending, so the pixel limit applies to the highest one requested so far. Pictures are taken
 * one at a time, because each may use the full limit; the next one waits for at most 15 seconds.
 */
export function makePictures(ratio: number): Pictures {
  let sharpest = ratio
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = (take: () => Promise<Outcome>): Promise<Outcome> => {
    const taking = turn.then(take)
    turn = isDoneWithin(turnWithin, taking)
    return taking
  }

  const takes: Readonly<Record<string, Take>> = {
    'Emulation.setDeviceMetricsOverride': async (params, ask) => {
      const screen = readScreen(params)
      if (typeof screen === 'string') return { refusal: screen }
      sharpest = Math.max(sharpest, screen.deviceScaleFactor)
      return ask('Emulation.setDeviceMetricsOverride', screen)
    },
    'Page.captureScreenshot': (params, ask) =>
      inTurn(async () => {
        const clip = await clipOf(params, () => ask('Page.getLayoutMetrics', {}))
        if (clip && 'refusal' in clip) return clip
        const scale = clip?.scale ?? 1
        if (clip && !isDrawable({ ...clip, ratio: sharpest * scale }))
          return { refusal: `A picture has at most ${drawableLimits}. Give a smaller clip.` }
        return ask('Page.captureScreenshot', { ...params, ...(clip && { clip }) })
      }),
    'Page.printToPDF': (params, ask) =>
      inTurn(async () => {
        const refusal = whyNotPrinted(params)
        return refusal === undefined ? ask('Page.printToPDF', params) : { refusal }
      }),
    'Page.startScreencast': (params, ask) => {
      const [maxWidth, maxHeight] = [params['maxWidth'], params['maxHeight']].map((side) =>
        Math.min(positive(side) ?? castSide, castSide),
      )
      return ask('Page.startScreencast', { ...params, maxWidth, maxHeight })
    },
  }

  return {
    has: (method) => Object.hasOwn(takes, method),
    carryOut: async (method, params, line, sessionId) => {
      const take = takes[method]
      return take ? take(params, (name, more) => pass(line, name, more, sessionId)) : { refusal: method }
    },
  }
}

interface Clip {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly scale: number
}

/**
 * Returns the area of a screenshot, or `undefined` for the visible part. The size of a full page is measured once before the
 * screenshot, so that a growing page cannot exceed the limit.
 */
async function clipOf(
  { clip, captureBeyondViewport }: Params,
  measure: () => Promise<Outcome>,
): Promise<Clip | { readonly refusal: string } | undefined> {
  if (clip !== undefined) return readClip(clip) ?? { refusal: 'A clip has x, y, width, height and scale.' }
  if (captureBeyondViewport !== true) return undefined
  const measured = await measure()
  if ('refusal' in measured) return measured
  const { width, height } = (measured.result as { cssContentSize: { width: number; height: number } }).cssContentSize
  return { x: 0, y: 0, width: Math.max(1, width), height: Math.max(1, height), scale: 1 }
}

function readClip(clip: unknown): Clip | undefined {
  if (typeof clip !== 'object' || clip === null) return undefined
  const { x, y, width: wide, height: high, scale: sharp = 1 } = clip as Params
  const [width, height, scale] = [positive(wide), positive(high), positive(sharp)]
  if (typeof x !== 'number' || typeof y !== 'number') return undefined
  return width && height && scale ? { x, y, width, height, scale } : undefined
}

// Parameters that do not change any size. Others could make the drawn area larger than the window.
const sizelessParams = ['mobile', 'screenOrientation', 'positionX', 'positionY', 'dontSetVisibleSize', 'displayFeature']

/** Reads the size of the window. 0 leaves a side unchanged. */
function readScreen(params: Params): (Params & { readonly deviceScaleFactor: number }) | string {
  const [width = 0, height = 0, screenWidth = 0, screenHeight = 0] = [
    'width',
    'height',
    'screenWidth',
    'screenHeight',
  ].map((name) => positive(params[name]) ?? 0)
  const factor = positive(params['deviceScaleFactor']) ?? 0
  // Sides that are not set are at most as large as the window of a tab.
  const drawing = { width: width || 1_920, height: height || 1_920, ratio: Math.max(1, Math.min(factor, maxRatio)) }
  const sides = [width, height, screenWidth, screenHeight]
  if (!isDrawable(drawing) || sides.some((side) => side > maxScreen))
    return `A screen has at most ${maxScreen} pixels on a side and, as it is drawn, ${drawableLimits}.`
  const others = Object.fromEntries(sizelessParams.filter((name) => name in params).map((name) => [name, params[name]]))
  const screen = screenWidth > 0 && screenHeight > 0 ? { screenWidth, screenHeight } : {}
  return { mobile: false, ...others, ...screen, width, height, deviceScaleFactor: Math.min(factor, maxRatio) }
}

function whyNotPrinted(params: Params): string | undefined {
  const inches = (name: string, usual: number): number => {
    const value = params[name]
    return value === undefined ? usual : typeof value === 'number' ? value : Number.NaN
  }
  const [wide, high] = [inches('paperWidth', 8.5), inches('paperHeight', 11)]
  const across = wide - inches('marginLeft', 0.4) - inches('marginRight', 0.4)
  const down = high - inches('marginTop', 0.4) - inches('marginBottom', 0.4)
  const fits = [wide, high, across, down].every((side) => side >= paper.least && side <= paper.most)
  return fits
    ? undefined
    : `A sheet of paper has at least ${paper.least} inch between its margins and at most ${paper.most} on a side.`
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}
