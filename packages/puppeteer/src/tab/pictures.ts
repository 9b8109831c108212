import type { PdfOptions, ScreenshotOptions } from '@harvestman/ports'

import { actionFailed, asBrowserFailure } from '../lib/errors.ts'
import { blurToDrawable, cutToDrawable } from '../lib/drawable.ts'
import { isDoneWithin } from '../lib/race.ts'
import { waitUntilDrawn } from '../page-scripts.ts'
import { desktopScreen, mobileScreen } from '../profile/identity.ts'
import { readStream } from './stream.ts'
import type { View } from './view.ts'
import { runIn } from './worlds.ts'

const picturesWithin = 3_000
const maxPdfBytes = 100_000_000
const notPainted =
  'The page was loaded with pictures: false, so it is not painted, and a screenshot would show no content. Load it with pictures: true, which is needs.pictures: true in an action.'

/**
 * Takes a screenshot, as JPEG if a quality is given and otherwise as PNG, after waiting up to 3 seconds for images. A full page
 * is cut at 16,384 device pixels on a side and 64 million in all. Rejects with the signal's reason if it is aborted, with
 * `action_failed` if the browser was launched without painting, and with `browser_failed` if it fails.
 */
export async function screenshot(view: View, options: ScreenshotOptions, signal: AbortSignal): Promise<Uint8Array> {
  const { fullPage, quality, viewport } = options
  if (!view.place.running.paints) throw actionFailed(notPainted)
  try {
    if (viewport) await resize(view, viewport, signal)
    // An image that never loads must not delay the screenshot for longer.
    await view.during(
      signal,
      isDoneWithin(picturesWithin, runIn(view.frames.main, waitUntilDrawn, [fullPage], signal, view.place.broken)),
    )
    const clip = fullPage ? await fullPageClip(view, signal) : undefined
    const { data } = await view.during(
      signal,
      view.session.send('Page.captureScreenshot', {
        format: quality === undefined ? 'png' : 'jpeg',
        ...(quality !== undefined && { quality }),
        ...(clip && { clip, captureBeyondViewport: true }),
        optimizeForSpeed: true,
      }),
    )
    return Buffer.from(data, 'base64')
  } catch (error) {
    signal.throwIfAborted()
    view.place.broken.throwIfAborted()
    throw asBrowserFailure(error, 'taking a screenshot')
  } finally {
    if (viewport) await resize(view, undefined, signal).catch(() => undefined)
  }
}

/** Sets the window to a size, or back to its own. Clearing the override instead would take effect with a delay. */
async function resize(view: View, size: ScreenshotOptions['viewport'], signal: AbortSignal): Promise<void> {
  const own = view.profile.mobile ? mobileScreen : { ...desktopScreen, deviceScaleFactor: 1, mobile: false }
  const { width, height, ratio } = blurToDrawable({ ...own, ...size, ratio: own.deviceScaleFactor })
  const screen = { width, height, deviceScaleFactor: ratio, mobile: own.mobile }
  await view.during(signal, view.session.send('Emulation.setDeviceMetricsOverride', screen))
}

async function fullPageClip(
  view: View,
  signal: AbortSignal,
): Promise<{ x: number; y: number; width: number; height: number; scale: number }> {
  const { cssContentSize } = await view.during(signal, view.session.send('Page.getLayoutMetrics'))
  const ratio = view.profile.mobile ? mobileScreen.deviceScaleFactor : 1
  const { width, height } = cutToDrawable({ ...cssContentSize, ratio })
  if (cssContentSize.height > height) {
    view.note(
      `The page is ${Math.round(cssContentSize.height)} pixels high; the screenshot shows the first ${height} of them.`,
    )
  }
  return { x: 0, y: 0, width, height, scale: 1 }
}

type Sides = readonly [width: number, height: number]

// The A series in millimetres, the others in inches.
const metric: ReadonlyMap<string, Sides> = new Map(
  Object.entries<Sides>({
    A0: [841, 1189],
    A1: [594, 841],
    A2: [420, 594],
    A3: [297, 420],
    A4: [210, 297],
    A5: [148, 210],
    A6: [105, 148],
  }),
)
const inches: ReadonlyMap<string, Sides> = new Map(
  Object.entries<Sides>({
    Letter: [8.5, 11],
    Legal: [8.5, 14],
    Tabloid: [11, 17],
    Ledger: [17, 11],
  }),
)

function paperOf(format: string): Sides {
  const [width, height] = metric.get(format) ?? []
  if (width !== undefined && height !== undefined) return [width / 25.4, height / 25.4]
  const paper = inches.get(format)
  if (paper) return paper
  const known = [...metric.keys(), ...inches.keys()].join(', ')
  throw actionFailed(`"${format}" is not a paper size. Use one of ${known}.`)
}

/**
 * Prints the page as PDF, after waiting up to 3 seconds for images. Rejects with `action_failed` if the paper format is
 * unknown, with `response_too_large` above 100,000,000 bytes, with the signal's reason if it is aborted, and with
 * `browser_failed` otherwise.
 */
export async function pdf(
  view: View,
  { format, landscape, scale }: PdfOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [paperWidth, paperHeight] = paperOf(format)
  try {
    await view.during(
      signal,
      isDoneWithin(picturesWithin, runIn(view.frames.main, waitUntilDrawn, [true], signal, view.place.broken)),
    )
    const { stream, data } = await view.during(
      signal,
      view.session.send('Page.printToPDF', {
        paperWidth,
        paperHeight,
        landscape,
        scale,
        printBackground: true,
        transferMode: 'ReturnAsStream',
      }),
    )
    if (!stream) return Buffer.from(data, 'base64')
    return await view.during(signal, readStream(view.session, stream, maxPdfBytes))
  } catch (error) {
    signal.throwIfAborted()
    view.place.broken.throwIfAborted()
    throw asBrowserFailure(error, 'printing the page')
  }
}
