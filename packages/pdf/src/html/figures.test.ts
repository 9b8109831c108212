import type { ContentBlock } from '@harvestman/core/plugin'
import { expect, test } from 'vitest'

import { withLabels } from './figures.ts'

const figure = (top: number, bottom: number): ContentBlock => ({
  ...{ type: 'figure', content: '', bbox: [0.1, top, 0.9, bottom] },
})
const caption = (top: number, bottom: number): ContentBlock => ({
  ...{ type: 'caption', content: 'Figure 1: A caption.', bbox: [0.1, top, 0.9, bottom] },
})

function labelsOf(...blocks: readonly ContentBlock[]): unknown[] {
  return withLabels(blocks).map(({ label }) => label)
}

test('a caption names the nearest figure, also if its box overlaps that of another one', () => {
  // The caption is 0.01 below the first figure, and 0.07 inside the second one.
  expect(labelsOf(figure(0.1, 0.49), caption(0.5, 0.57), figure(0.5, 0.8))).toEqual(['Figure 1', 'Figure 1', undefined])
})

test('a caption names no figure that is far away or already has a name', () => {
  expect(labelsOf(figure(0.1, 0.3), caption(0.5, 0.57))).toEqual([undefined, 'Figure 1'])
  expect(labelsOf(figure(0.1, 0.49), caption(0.5, 0.52), caption(0.52, 0.54))).toEqual([
    ...['Figure 1', 'Figure 1', 'Figure 1'],
  ])
})

test('of 40,000 blocks, only figures are compared with captions', () => {
  let reads = 0
  const text = (): ContentBlock => ({
    ...{ type: 'text', content: '' },
    get bbox() {
      reads += 1
      return undefined
    },
  })
  withLabels(Array.from({ length: 40_000 }, (_, index) => (index % 2 === 0 ? caption(0.5, 0.52) : text())))
  expect(reads).toBeLessThan(100_000)
})
