import type { Content } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { DrawnPage, DrawTask } from './draw.ts'
import { withPageImages } from './page-images.ts'

const drawn = { width: 1, height: 1, dotsPerInch: 120 }

function contentOf(count: number): Content {
  const pages = Array.from({ length: count }, (_, index) => ({ number: index + 1, html: '', status: 'ok', blocks: [] }))
  return { html: '', warnings: ['Other.'], pages } as unknown as Content
}

async function imagesOf(
  count: number,
  run: (task: DrawTask) => Promise<readonly DrawnPage[]>,
  timeLeft = () => 60_000,
  signal = new AbortController().signal,
) {
  const task = { bytes: new Uint8Array(1), password: undefined, rotations: new Map([[2, 90]]) }
  const draw = { run, close: async () => undefined } as never
  const { pages = [], warnings } = await withPageImages(contentOf(count), task, draw, { team: 'a', signal, timeLeft })
  const images = pages.flatMap(({ number, image }) => (image ? [[number, image.rotation]] : []))
  return { images, warnings }
}

const drawAll = async ({ pages }: DrawTask): Promise<readonly DrawnPage[]> =>
  pages.map((number) => ({ number, png: new Uint8Array(1), ...drawn }))

test('pages have their rotation, and an empty page has no picture and no warning', async () => {
  const withEmpty = async (task: DrawTask) =>
    (await drawAll(task)).map((page) => (page.number === 3 ? { number: 3, ...drawn } : page))
  expect(await imagesOf(3, withEmpty)).toEqual({
    images: [
      [1, 0],
      [2, 90],
    ],
    warnings: ['Other.'],
  })
})

test('a page that cannot be drawn is named, and the others are drawn', async () => {
  const withBroken = async (task: DrawTask) =>
    (await drawAll(task)).map((page) => (page.number === 1 ? { number: 1, ...drawn, isBroken: true } : page))
  const { images, warnings } = await imagesOf(2, withBroken)
  expect(images).toEqual([[2, 90]])
  expect(warnings).toEqual(['Other.', 'Page 1 has no picture. Drawing failed. Save the PDF again.'])
})

test('after an error of the drawing no page is drawn, and the warning has the reason', async () => {
  let tries = 0
  const failing = (): Promise<never> => {
    tries += 1
    return Promise.reject(new EngineError('not_configured', 'Install the library.'))
  }
  const { images, warnings } = await imagesOf(20, failing)
  expect([tries, images]).toEqual([1, []])
  expect(warnings?.at(-1)).toBe('Pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 10 more have no picture. Install the library.')
})

test('pages that would exceed 32 MB in all have no picture', async () => {
  const large = async ({ pages }: DrawTask) =>
    pages.map((number) => ({ number, png: new Uint8Array(20 * 1_048_576), ...drawn }))
  const { images, warnings } = await imagesOf(9, large)
  expect(images).toEqual([[1, 0]])
  expect(warnings?.at(-1)).toMatch(/^Pages 2, 3, 4, 5, 6, 7, 8, 9 have no picture\. A file has at most 50, of 32 MB/)
})

test('without time left no page is drawn, and an aborted request rejects', async () => {
  const late = await imagesOf(2, drawAll, () => 0)
  expect(late).toEqual({
    images: [],
    warnings: ['Other.', 'Pages 1, 2 have no picture. Raise the timeout of the request.'],
  })
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(imagesOf(2, drawAll, undefined, stopped)).rejects.toThrow('stopped')
})
