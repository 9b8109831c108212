import type { ContentBlock, ContentPage } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { DrawnPage, DrawTask } from './draw.ts'
import { drawFigures } from './figures.ts'

const small = [0.1, 0.1, 0.2, 0.2] as const
const text: ContentBlock = { type: 'text', content: 'x', bbox: small }

/** Returns pages, each with figures of these boxes after a text. */
function pagesOf(...boxes: readonly (readonly NonNullable<ContentBlock['bbox']>[])[]): ContentPage[] {
  return boxes.map((page, index) => ({
    ...{ number: index + 1, html: '', status: 'ok' },
    blocks: [text, ...page.map((bbox): ContentBlock => ({ type: 'figure', content: '', bbox }))],
  }))
}

async function draw(
  pages: readonly ContentPage[],
  run: (task: DrawTask) => Promise<readonly DrawnPage[]> = drawAll(1),
  timeLeft = 60_000,
) {
  const threads = { run, close: async () => undefined } as never
  const context = { team: 'a', signal: new AbortController().signal, timeLeft: () => timeLeft }
  const drawn = await drawFigures({ bytes: new Uint8Array(1), password: undefined, pages }, threads, context)
  const images = drawn.pages.map(({ blocks }) => blocks.map(({ image }) => image?.byteLength))
  return { images, warnings: drawn.warnings }
}

const drawAll =
  (size: number) =>
  async ({ pages, crops = [] }: DrawTask): Promise<readonly DrawnPage[]> =>
    pages.map((number, index) => ({
      ...{ number, width: 1, height: 1, dotsPerInch: 150 },
      parts: (crops[index] ?? []).map(() => new Uint8Array(size)),
    }))

test('each figure has its picture, and pages without figures are not drawn', async () => {
  const drawn: unknown[] = []
  const { images, warnings } = await draw(pagesOf([small, small], [], [small]), (task) => {
    drawn.push(...task.pages)
    return drawAll(7)(task)
  })
  expect(images).toEqual([[undefined, 7, 7], [undefined], [undefined, 7]])
  expect([drawn, warnings]).toEqual([[1, 3], []])
})

test('a file has at most 200 pictures', async () => {
  const { images, warnings } = await draw(
    pagesOf(...Array.from({ length: 3 }, () => Array.from({ length: 90 }, () => small))),
  )
  expect(images.flat().filter((size) => size === 1)).toHaveLength(200)
  expect(warnings).toEqual([
    expect.stringMatching(/^Not all figures of page 3 .* picture\. A file has at most 200, of 50 MB/),
  ])
})

test('the pictures of a page have at most twice its area', async () => {
  const whole = [0, 0, 1, 0.79] as const
  const { images, warnings } = await draw(pagesOf([whole, whole, whole, whole], [small]))
  expect(images).toEqual([
    [undefined, 1, 1, undefined, undefined],
    [undefined, 1],
  ])
  expect(warnings).toEqual([expect.stringMatching(/^Not all figures of page 1 .* at most 2 times its area\.$/)])
})

test('pictures beyond 50 MB are left out, and no further page is drawn', async () => {
  let batches = 0
  const { images, warnings } = await draw(pagesOf(...Array.from({ length: 9 }, () => [small])), (task) => {
    batches += 1
    return drawAll(20_000_000)(task)
  })
  expect(images.map(([, size]) => size !== undefined)).toEqual([true, true, ...Array(7).fill(false)])
  expect(batches).toBe(1)
  expect(warnings).toEqual([expect.stringMatching(/^Not all figures of pages 3, 4, 5, 6, 7, 8, 9 .* of 50 MB/)])
})

test('images of the file have at most 25 MB, and the figures after them are drawn', async () => {
  const allowed: unknown[] = []
  const { images, warnings } = await draw(pagesOf(...Array.from({ length: 9 }, () => [small])), async (task) => {
    allowed.push(task.originalBytes)
    const drawn = await drawAll(3_000_000)(task)
    return drawn.map((page) => ({ ...page, originalBytes: 3_000_000 }))
  })
  expect(allowed).toEqual([25_000_000, 13_000_000, 1_000_000])
  expect([images.filter(([, size]) => size === 3_000_000).length, warnings]).toEqual([9, []])
})

test('figures are drawn if reading images of the file exceeds a limit of the thread', async () => {
  const allowed: unknown[] = []
  const { images, warnings } = await draw(pagesOf(...Array.from({ length: 5 }, () => [small])), (task) => {
    allowed.push(task.originalBytes)
    if (task.originalBytes) return Promise.reject(new EngineError('page_too_complex', 'Too much memory.'))
    return drawAll(1)(task)
  })
  expect([allowed, images.flat().filter((size) => size === 1).length, warnings]).toEqual([[25_000_000, 0, 0], 5, []])
})

test('a page that cannot be drawn and an error have their own warnings, also if the library is missing', async () => {
  const broken = async (task: DrawTask) =>
    (await drawAll(1)(task)).map((page) => (page.number === 1 ? { ...page, isBroken: true } : page))
  const pages = pagesOf([small], [small])
  expect(await draw(pages, broken)).toEqual({
    images: [
      [undefined, undefined],
      [undefined, 1],
    ],
    warnings: ['Not all figures of page 1 of the PDF have a picture. Drawing failed. Save the PDF again.'],
  })
  const missing = () => Promise.reject(new EngineError('not_configured', 'Install the library.'))
  expect((await draw(pages, missing)).warnings).toEqual([
    'Not all figures of pages 1, 2 of the PDF have a picture. Install the library.',
  ])
})

test('without time left no figure is drawn, and the warning names the timeout', async () => {
  const { images, warnings } = await draw(pagesOf([small]), undefined, 0)
  expect(images).toEqual([[undefined, undefined]])
  expect(warnings).toEqual([expect.stringMatching(/Raise the timeout of the request\.$/)])
})
