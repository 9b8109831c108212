import { describe, expect, test } from 'vitest'
import { blend } from './blend.ts'
import { modelData } from './model-data.ts'
import { featureSign, leafMark, leafScale, readModel, unpackForest } from './packed-model.ts'
import { makeRanges, prunedSlope, fullSlope, widenRanges } from './slopes.ts'
import { runForest } from './trees.ts'

const base64 = (array: Uint16Array | Float32Array): string => Buffer.from(array.buffer).toString('base64')
const leaf = (value: number): number[] => [leafMark, (value * leafScale) & 0xffff]

/** Column 1 at most 2.5: then column 0 at most -1 gives 1, else -2; above 2.5 gives 0.5. And a tree that always gives 1. */
const packed = {
  start: -1,
  trees: 2,
  thresholds: base64(Float32Array.of(-1, 2.5)),
  nodes: base64(Uint16Array.from([1, 1, 0, 0, leaf(1), leaf(-2), leaf(0.5), leaf(1)].flat())),
}

const chance = (odds: number): number => 1 / (1 + Math.exp(-odds))

describe('the model', () => {
  test('is unpacked to the trees that were packed, and adds up their answers', () => {
    const rows = Float32Array.from([-1, 2.5, 9, -0.5, 2, 9, -5, 3, 9])
    const out = new Float32Array(4).fill(7)
    runForest(unpackForest(packed), { data: rows, starts: Int32Array.of(0, 3, 6), count: 3 }, out, 1)
    expect(out[0]).toBe(7)
    expect([...out.subarray(1)]).toEqual([chance(1), chance(-2), chance(0.5)].map((value) => expect.closeTo(value, 4)))
  })

  test('stops early for rows that stand low enough, and for no others', () => {
    const rows = Float32Array.from([-1, 2.5, 9, -0.5, 2, 9, -5, 3, 9])
    const out = new Float32Array(3)
    const all = { data: rows, starts: Int32Array.of(0, 3, 6), count: 3 }
    runForest(unpackForest(packed), all, out, 0, { early: { trees: 1, below: -1 } })
    // The second row stands at -3 after the first tree, so the second one does not count for it.
    expect([...out]).toEqual([chance(1), chance(-3), chance(0.5)].map((value) => expect.closeTo(value, 4)))
  })

  test('gives the same answers to the last bit without the questions that all rows answer alike', () => {
    const { first } = readModel(modelData)
    const width = Number(modelData.features.split('-')[0])
    const count = 101
    const starts = Int32Array.from({ length: count }, (_, row) => row * width)
    // Every third column is the same in all rows, every third is nearly so.
    const data = Float32Array.from({ length: count * width }, (_, at) => {
      const [row, column] = [Math.floor(at / width), at % width]
      return ((column * 7) % 11) - 2 + (column % 3 === 0 ? 0 : column % 3 === 1 ? row % 2 : (row * column) % 17)
    })
    const rows = { data, starts, count }
    const ranges = makeRanges(width)
    widenRanges(ranges, rows, 0, width)
    const slope = prunedSlope(first, ranges)
    const [all, fewer] = [new Float32Array(count), new Float32Array(count)]
    for (const early of [undefined, { trees: 40, below: -1 }]) {
      runForest(first, rows, all, 0, { early })
      runForest(first, rows, fewer, 0, { early, slope })
      expect(fewer).toEqual(all)
    }
    expect(new Set(all).size).toBeGreaterThan(10)
    const inner = (steps: Int32Array, [from = 0, to = 0]: readonly number[]) =>
      steps.subarray(from, to).filter((step) => step >= 0).length
    const last = slope.roots.at(-1)!
    expect(inner(slope.steps, [0, last])).toBeLessThan(inner(fullSlope(first).steps, [0, first.roots.at(-1)!]) * 0.8)
  })

  test('that is shipped fits the features of this version', () => {
    expect(modelData.features).toBe(featureSign())
    const { first, second } = readModel(modelData)
    expect(first.roots.length).toBe(modelData.first.trees)
    const highest = (columns: Int16Array): number => columns.reduce((most, column) => Math.max(most, column), 0)
    expect(highest(second.columns)).toBeLessThan(Number(featureSign().split('-')[0]))
  })

  test('of other features is refused, with what to do', () => {
    expect(() => readModel({ ...modelData, features: '1-0' })).toThrow('Train it again')
  })

  test('the two answers meet in the middle of their odds', () => {
    expect(blend(0.5, 0.5)).toBeCloseTo(0.5)
    expect(blend(0.9, 0.1)).toBeCloseTo(0.5)
    expect(blend(0.99, 0.5)).toBeCloseTo(chance(Math.log(99) / 2), 3)
  })
})
