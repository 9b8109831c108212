import { randomBytes } from 'node:crypto'

import { browserFailed } from '../lib/errors.ts'
import { pause } from '../lib/race.ts'
import type { Frame } from './frames.ts'
import { foreignFrame, serialised } from './scripts.ts'
import type { View } from './view.ts'
import { contextLost, handleIn, runIn } from './worlds.ts'

const deepestFrame = 5
const mostForeignFrames = 50
const mostTries = 20
const betweenTries = 25

interface Reading {
  readonly html: string
  readonly foreign: number
}

/** The document of the page as it stands, with what its frames show in their `srcdoc`. */
export async function readHtml(view: View, signal: AbortSignal): Promise<string> {
  const budget = { frames: mostForeignFrames }
  for (let tries = 0; tries < mostTries; tries++) {
    const html = await readFrame(view, view.frames.main, 0, budget, signal)
    if (html !== undefined) return html
    await pause(betweenTries, signal, view.place.broken)
  }
  throw browserFailed('The page goes from one address to the next without end, so it could not be read.')
}

async function readFrame(
  view: View,
  frame: Frame,
  depth: number,
  budget: { frames: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const signals = [signal, view.place.broken]
  // The mark cannot be known, so no page can have it in its text.
  const mark = `data-${randomBytes(8).toString('hex')}`
  const reading = await runIn<Reading>(frame, serialised, [mark, deepestFrame - depth], ...signals)
  if (reading === contextLost) return undefined
  if (reading.foreign === 0) return reading.html
  const inner: string[] = []
  for (let index = 0; index < reading.foreign; index++) {
    const child =
      budget.frames-- > 0 && depth < deepestFrame ? await frameBehind(view, frame, index, signals) : undefined
    inner.push((child && (await readFrame(view, child, depth + 1, budget, signal))) ?? '')
  }
  return reading.html.replaceAll(new RegExp(`${mark}="(\\d+)"`, 'g'), (_, index: string) => {
    const html = inner[Number(index)]
    return html ? `srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"` : ''
  })
}

async function frameBehind(
  view: View,
  frame: Frame,
  index: number,
  signals: readonly AbortSignal[],
): Promise<Frame | undefined> {
  const handle = await handleIn(frame, foreignFrame, [index], ...signals)
  if (handle === contextLost || !handle.objectId) return undefined
  try {
    const { node } = await frame.session.send('DOM.describeNode', { objectId: handle.objectId })
    return node.frameId === undefined ? undefined : view.frames.find(node.frameId)
  } catch {
    // The frame went away between the two questions.
    return undefined
  }
}
