import type { CompoundStorage } from '@harvestman/toolbox/compound-file'
import { expect, test } from 'vitest'

import { makeInnerFiles } from '../inner-files.ts'
import { defaultLimits } from '../limits.ts'
import { readMsg } from './msg.ts'

test('attachments that share their bytes are not read beyond the limit', async () => {
  const size = 1_000_000
  const shared = Buffer.alloc(size, 'x')
  let bytesRead = 0
  const stream = (name: string, maxBytes = size): Buffer | undefined => {
    if (name.includes('3707')) return Buffer.from('a.txt\0', 'utf16le')
    bytesRead += Math.min(size, maxBytes)
    return shared.subarray(0, maxBytes)
  }
  const attachment: CompoundStorage = { names: new Set(), stream, size: () => size, storage: () => undefined }
  const names = new Set(Array.from({ length: 1_000 }, (_, index) => `__attach_version1.0_#${index}`))
  const root: CompoundStorage = { names, stream: () => undefined, size: () => undefined, storage: () => attachment }
  const warnings = new Set<string>()
  const warn = (sentence: string): void => void warnings.add(sentence)
  const limits = { ...defaultLimits, unpackedBytes: 3_000_000 }
  const convert = () => Promise.reject(new Error('unused'))
  const inner = makeInnerFiles({ limits, warn, others: new Set(), convert })
  const { html } = await readMsg(root, { limits, warn, inner })
  expect(html).toContain('a.txt (')
  expect([...warnings].join(' ')).toContain('limits.unpackedBytes (3000000)')
  // Names, types and lists of 1,000 attachments are small.
  expect(bytesRead).toBeLessThan(5 * size + 1_000 * 200_000)
})
