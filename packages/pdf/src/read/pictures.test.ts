import { expect, test } from 'vitest'

import { findPictures } from './pictures.ts'
import type { Matrix } from './rules.ts'

const names = {
  ...{ save: 1, restore: 2, transform: 3, constructPath: 4, fill: 5, eoFill: 6, endPath: 7 },
  ...{ paintFormXObjectBegin: 8, paintFormXObjectEnd: 9, beginText: 10, shadingFill: 11 },
}
const stroke = 12
const other = 13
const page = { width: 600, height: 800 }
const start: Matrix = [1, 0, 0, 1, 0, 0]
type Step = readonly [code: number, input?: unknown]

const find = (...steps: readonly Step[]) =>
  findPictures({ steps: steps.map(([code]) => code), inputs: steps.map(([, input]) => input) }, names, start, page)
const image = (x: number, y: number, width: number, height: number): Step[] => [
  [names.save],
  [names.transform, [width, 0, 0, height, x, y]],
  [other],
  [names.restore],
]
const path = (...numbers: readonly number[]): Step => [names.constructPath, [stroke, [Float32Array.from(numbers)]]]
const line = (x1: number, y1: number, x2: number, y2: number): Step => path(0, x1, y1, 1, x2, y2)

test('a transformation with which nothing is drawn is the place of an image', () => {
  expect(find(...image(100, 200, 150, 90))).toEqual([{ left: 100, right: 250, top: 200, bottom: 290 }])
  expect(find([names.save], [names.transform, [150, 0, 0, 90, 1, 1]], [names.beginText], [names.restore])).toEqual([])
})

test('parts of an image that touch each other are one picture, others are not', () => {
  const strips = [0, 1, 2, 3].flatMap((at) => image(100, 200 + at * 20, 150, 20))
  expect(find(...strips, ...image(400, 200, 60, 60))).toEqual([
    { left: 100, right: 250, top: 200, bottom: 280 },
    { left: 400, right: 460, top: 200, bottom: 260 },
  ])
})

test('oblique lines and curves that touch each other are a drawing; the lines of a table are not', () => {
  const curve = path(0, 100, 100, 2, 120, 60, 160, 60, 180, 140)
  expect(find(line(100, 100, 180, 140), line(100, 140, 180, 100), curve)).toEqual([
    { left: 100, right: 180, top: 100, bottom: 140 },
  ])
  expect(find(...[0, 20, 40].map((y) => line(100, 100 + y, 300, 100 + y)))).toEqual([])
})

test('small images, and those that fill the page, are not pictures', () => {
  expect(find(...image(100, 200, 20, 20), ...image(0, 0, 600, 800))).toEqual([])
})

test('pictures on a background or in a frame as large as the page are found', () => {
  const figure = { left: 100, right: 250, top: 200, bottom: 290 }
  const frame = path(0, 10, 10, 1, 590, 10, 2, 595, 10, 595, 15, 595, 20, 1, 590, 790, 1, 10, 790, 4)
  expect(find(...image(-20, -20, 640, 840), ...image(100, 200, 150, 90))).toEqual([figure])
  expect(find(frame, ...image(100, 200, 150, 90))).toEqual([figure])
})

test('very many shapes that cover the page are read in bounded time', () => {
  expect(find(...Array.from({ length: 50_000 }, () => line(0, 0, 600, 800)))).toEqual([])
})
