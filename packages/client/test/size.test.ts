// What the client costs a page that loads it.
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'

import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('the whole client is at most 12 KB, packed', async () => {
  const input = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const bundled = await rolldown({ input, treeshake: { moduleSideEffects: false } })
  const { output } = await bundled.generate({ minify: true })
  await bundled.close()
  expect(output).toHaveLength(1)
  const packed = gzipSync(output[0].code, { level: 9 }).byteLength
  expect(packed).toBeGreaterThan(2_000)
  expect(packed).toBeLessThanOrEqual(12_000)
})
