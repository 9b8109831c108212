import { compoundFile, atOffset, damagedFile, damages } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { compoundFileNames, isCompoundFile, openCompoundFile } from './compound-file.ts'

const names = ['Workbook', '\x05SummaryInformation', 'Extra 1', 'Extra 2', 'Extra 3', 'Extra 4']
const file = compoundFile(names)

describe('the directory of a compound file', () => {
  test.each([0, 1, 2, 3])('is read at offset %i of its buffer', (offset) => {
    const bytes = atOffset(file, offset)
    expect(isCompoundFile(bytes)).toBe(true)
    expect(compoundFileNames(bytes)).toEqual(new Set(names))
  })

  test('leaves out what is inside of an embedded document', () => {
    const bytes = Buffer.from(compoundFile(['Workbook', 'MBD0001', 'WordDocument']))
    const entry = (index: number): number => 1_024 + index * 128
    bytes.writeUInt32LE(0xffffffff, entry(2) + 72)
    bytes.writeUInt32LE(3, entry(2) + 76)
    expect(compoundFileNames(bytes)).toEqual(new Set(['Workbook', 'MBD0001']))
  })

  test('ends where its chain or its tree leads back', () => {
    const chained = Buffer.from(file)
    chained.writeUInt32LE(1, 512 + 8)
    expect(compoundFileNames(chained).size).toBe(names.length)
    const looped = Buffer.from(file)
    looped.writeUInt32LE(1, 1_024 + 6 * 128 + 72)
    expect(compoundFileNames(looped)).toEqual(new Set(names))
  })

  test('is empty in a file that is cut off or of another kind, and damage never throws', () => {
    expect(compoundFileNames(file.subarray(0, 600)).size).toBe(0)
    expect(compoundFileNames(new Uint8Array(2_000)).size).toBe(0)
    for (const damage of damages)
      for (let seed = 0; seed < 300; seed += 1)
        expect(compoundFileNames(damagedFile(file, damage, seed)).size).toBeLessThanOrEqual(8)
  })
})

describe('a stream of a compound file', () => {
  /** The first stream is the chain of the directory itself: sectors 1 and 2. */
  const withStream = (size: number): Buffer => {
    const bytes = Buffer.from(file)
    bytes.writeUInt32LE(1, 1_024 + 128 + 116)
    bytes.writeUInt32LE(size, 1_024 + 128 + 120)
    return bytes
  }

  test('is the sectors of its chain, up to its size', () => {
    const bytes = withStream(700)
    expect(openCompoundFile(bytes).stream('Workbook')).toEqual(bytes.subarray(1_024, 1_724))
    expect(openCompoundFile(bytes).stream('Missing')).toBeUndefined()
    expect(openCompoundFile(bytes).storage('Workbook')).toBeUndefined()
  })

  test('has a size that is no larger than the file, and is read up to a limit', () => {
    const root = openCompoundFile(withStream(700))
    expect([root.size('Workbook'), root.size('Missing'), root.stream('Workbook', 10)?.length]).toEqual([
      700,
      undefined,
      10,
    ])
    expect(openCompoundFile(withStream(0xffffffff)).size('Workbook')).toBe(file.length)
  })

  test('ends where its chain leads back, and is not longer than the file', () => {
    const looped = withStream(0xffffffff)
    looped.writeUInt32LE(1, 512 + 2 * 4)
    expect(openCompoundFile(looped).stream('Workbook')?.length).toBe(1_024)
    expect(openCompoundFile(withStream(0xffffffff)).stream('Workbook')?.length).toBeLessThanOrEqual(file.length)
  })

  test('is read from every damaged file without an error', () => {
    for (const damage of damages)
      for (let seed = 0; seed < 300; seed += 1) {
        const root = openCompoundFile(damagedFile(withStream(700), damage, seed))
        for (const name of root.names) expect(root.stream(name)?.length ?? 0).toBeLessThanOrEqual(file.length * 2)
      }
  })
})
