import { expect, test } from 'vitest'

import { pageSizeIn } from './processes.ts'

function auxvOf(...entries: readonly (readonly [type: number, value: number])[]): Uint8Array {
  return Buffer.from(new BigUint64Array([...entries, [0, 0]].flat().map(BigInt)).buffer)
}

const is64 = process.arch !== 'arm' && process.arch !== 'ia32'

test.runIf(is64)('the size of a memory page is the one that the kernel reports', () => {
  expect(pageSizeIn(auxvOf([33, 7], [6, 65_536]))).toBe(65_536)
  expect(pageSizeIn(auxvOf([16, 6], [6, 16_384]))).toBe(16_384)
  expect(pageSizeIn(auxvOf([33, 7]))).toBe(4096)
})
